import {
  restoreStream,
  type BackupRestoredEvent,
  type LogLossAcceptedEvent,
} from '../../../src/events/audit.ts';
import type { CommandContext } from '../../../src/kernel/context.ts';
import type { Decider } from '../../../src/kernel/decider.ts';

type RestoreEvent = BackupRestoredEvent | LogLossAcceptedEvent;

/** Stream `restore-<backup>` or `restore-<loss>`: whether the restore is recorded. */
export const restoreRecord: Decider<boolean, RestoreEvent> = {
  initialState: false,
  evolve: () => true,
};

/** Once. Pure. */
export const decideRestore = <Event extends RestoreEvent>(isRecorded: boolean, event: Event): Event[] =>
  isRecorded ? [] : [event];

/** Records that the log goes on from a backup: what came after that is gone, and auditors are to know. */
export async function recordRestore(ctx: CommandContext, data: BackupRestoredEvent['data']): Promise<void> {
  await ctx.execute(restoreStream(data.backup_id), restoreRecord, (isRecorded) =>
    decideRestore(isRecorded, { type: 'BackupRestored', data }),
  );
}

/** Records that the log goes on behind an earlier event than it had, for auditors. */
export async function recordLoss(ctx: CommandContext, data: LogLossAcceptedEvent['data']): Promise<void> {
  await ctx.execute(restoreStream(data.loss_id), restoreRecord, (isRecorded) =>
    decideRestore(isRecorded, { type: 'LogLossAccepted', data }),
  );
}
