import { auditExportStream, type AuditExportedEvent } from '../../../src/events/audit.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import type { Decider } from '../../../src/kernel/decider.ts';
import type { Id } from '../../../src/kernel/ids.ts';

/** Stream `audit-export-<id>`: whether the export is recorded. */
export const auditExport: Decider<boolean, AuditExportedEvent> = {
  initialState: false,
  evolve: (_state, { type }) => type === 'AuditExported',
};

/** Once. Pure. */
export const decideExport = (isRecorded: boolean, data: AuditExportedEvent['data']): AuditExportedEvent[] =>
  isRecorded ? [] : [{ type: 'AuditExported', data }];

/** Records that the audit is exported, before it is. `filter` names what is asked for. @returns the id of the export */
export async function recordExport(
  ctx: CommandContext,
  { format, filter }: Omit<AuditExportedEvent['data'], 'id'>,
): Promise<Id> {
  const id = ctx.newId();
  await ctx.execute(
    auditExportStream(id),
    auditExport,
    (isRecorded) => decideExport(isRecorded, { id, format, filter }),
    { isNew: true },
  );
  return id;
}
