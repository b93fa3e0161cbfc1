/** The most events that are noted, and those of one subject: a wrong key damages all events of its subject. */
export const MOST_NOTED = 1_000;
export const MOST_OF_SUBJECT = 20;

/** Events of the log whose personal fields cannot be decrypted. */
export interface DamagedEventNotes {
  /** Notes that the audit log names the event with this cause. */
  reported(position: string, cause: 'fields' | 'key'): Promise<void>;
}
