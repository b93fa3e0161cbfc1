/** Counts, by day, the sign-ups that blocks of their mail domains refused: durable for a week, never in the log. */
export interface RefusedSignUps {
  /** `mailbox` is the digest of the address. */
  record(domains: readonly string[], mailbox: string): Promise<void>;
}
