/** Events of the log whose personal fields cannot be decrypted. */
export interface DamagedEventNotes {
  /** Notes that the audit log names the event with this cause. */
  reported(position: string, cause: 'fields' | 'key'): Promise<void>;
}
