/** Data encrypted with the keys of data subjects. */
export interface PersonalData {
  /** Destroys the key of a subject: its personal fields are gone everywhere in the log, for ever. */
  erase(subject: string): Promise<void>;
  /**
   * Removes what is known of an account outside of the log and the read models: password, sessions, tokens with what hangs on
   * them, IP addresses, its archive, mails that were written to files for these addresses.
   */
  forget(accountId: string, addresses: readonly string[]): Promise<void>;
  /** Removes what deleted rows left in the pages and in the statistics of tables. */
  clean(): Promise<void>;
}
