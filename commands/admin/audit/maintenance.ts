import { type MaintenanceDoneEvent, maintenanceStream } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

/** Stream `maintenance-<id>`: whether the run is recorded. */
export const maintenance: Decider<boolean, MaintenanceDoneEvent> = {
  initialState: false,
  evolve: () => true,
};

/** Records for auditors what the operator ran, unless it changed nothing. */
export async function recordMaintenance(
  ctx: CommandContext,
  { task, options, changed }: Omit<MaintenanceDoneEvent['data'], 'id'>,
): Promise<void> {
  if (changed === 0) return;
  const id = ctx.newId();
  await ctx.execute(
    maintenanceStream(id),
    maintenance,
    (isRecorded): MaintenanceDoneEvent[] =>
      isRecorded ? [] : [{ type: 'MaintenanceDone', data: { id, task, options, changed } }],
    { isNew: true },
  );
}
