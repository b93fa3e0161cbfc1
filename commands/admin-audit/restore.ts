import { restoreStream, type BackupRestoredEvent } from '../../src/events/audit.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Decider } from '../../src/kernel/decider.ts';

/** Stream `restore-<backup>`: whether the restore is recorded. */
export const restoreRecord: Decider<boolean, BackupRestoredEvent> = {
  initialState: false,
  evolve: () => true,
};

/** Once. Pure. */
export const decideRestore = (
  isRecorded: boolean,
  data: BackupRestoredEvent['data'],
): BackupRestoredEvent[] => (isRecorded ? [] : [{ type: 'BackupRestored', data }]);

/** Records that the log goes on from a backup: what came after that is gone, and auditors are to know. */
export async function recordRestore(ctx: CommandContext, data: BackupRestoredEvent['data']): Promise<void> {
  await ctx.execute(restoreStream(data.backup_id), restoreRecord, (isRecorded) =>
    decideRestore(isRecorded, data),
  );
}
