import { type AuditExportedEvent, auditExportStream } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import type { Id } from '#kernel/ids.ts';

/** Stream `audit-export-<id>`: whether the export is recorded. */
export const auditExport: Decider<boolean, AuditExportedEvent> = {
  initialState: false,
  evolve: (_state, { type }) => type === 'AuditExported',
};

/** Decides the event once. Pure. */
export const decideExport = (isRecorded: boolean, data: AuditExportedEvent['data']): AuditExportedEvent[] =>
  isRecorded ? [] : [{ type: 'AuditExported', data }];

/**
 * Records an export of the audit log before it begins. `filter` names the requested part. @returns the id of
 * the export
 */
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
