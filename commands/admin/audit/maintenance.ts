import { maintenanceStream, type MaintenanceDoneEvent } from '../../../src/events/audit.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import type { Decider } from '../../../src/kernel/decider.ts';

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
