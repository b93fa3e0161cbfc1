import type { Behind } from '#operations/backup/index.ts';

/**
 * Describes for the operator, in whole sentences, what a backup knew of events that the log does not have.
 * @param events the number of events of the log
 */
export function describeShorterLog(behind: Behind, events: number): string {
  const { head, reached, recorded, checkpoints, reactors } = behind;
  const missing = recorded - events;
  return [
    `The log ends at position ${head}, after ${events} events. The backup knew it up to ${reached}.`,
    ...(missing > 0
      ? [
          `At least ${missing} of ${recorded} recorded events are not in it: posts, accounts and decisions made by them are gone.`,
        ]
      : []),
    'The read models are made of the log alone. Keys, passwords, sessions and jobs are those of the backup.',
    `Dropped: ${checkpoints} checkpoint(s) of later events. Moved back to the end of the log: ${reactors} reactor(s).`,
  ].join('\n');
}
