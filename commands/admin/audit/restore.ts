import {
  type BackupRestoredEvent,
  type LogDivergenceAcceptedEvent,
  type LogLossAcceptedEvent,
  restoreStream,
} from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';

type RestoreEvent = BackupRestoredEvent | LogLossAcceptedEvent | LogDivergenceAcceptedEvent;

/** Stream `restore-<backup>`, `-<loss>` or `-<divergence>`: whether it is recorded. */
export const restoreRecord: Decider<boolean, RestoreEvent> = { initialState: false, evolve: () => true };

/** Decides the event once. Pure. */
export const decideRestore = <Event extends RestoreEvent>(isRecorded: boolean, event: Event): Event[] =>
  isRecorded ? [] : [event];

/** Records for auditors that the log continues from a backup, without the events after it. */
export async function recordRestore(ctx: CommandContext, data: BackupRestoredEvent['data']): Promise<void> {
  await ctx.execute(restoreStream(data.backup_id), restoreRecord, (isRecorded) =>
    decideRestore(isRecorded, { type: 'BackupRestored', data }),
  );
}

/** Records for auditors that the log continues after an earlier event than its last one. */
export async function recordLoss(ctx: CommandContext, data: LogLossAcceptedEvent['data']): Promise<void> {
  await ctx.execute(restoreStream(data.loss_id), restoreRecord, (isRecorded) =>
    decideRestore(isRecorded, { type: 'LogLossAccepted', data }),
  );
}

/** Records for auditors that the log is accepted although it contradicts a checkpoint. */
export async function recordDivergence(
  ctx: CommandContext,
  data: LogDivergenceAcceptedEvent['data'],
): Promise<void> {
  await ctx.execute(restoreStream(data.divergence_id), restoreRecord, (isRecorded) =>
    decideRestore(isRecorded, { type: 'LogDivergenceAccepted', data }),
  );
}
