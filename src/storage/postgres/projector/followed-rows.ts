import type { Notifications } from '#kernel/listening.ts';

/** Milliseconds until the next try after a failure. */
const RETRY_AFTER = 1_000;

/**
 * Rows that a process keeps in memory. It reads them at its start, whenever any process announces a change on
 * the channel, and after a lost connection.
 */
export class FollowedRows {
  readonly #read: () => Promise<void>;
  #loading: Promise<void> | undefined;
  #stale = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param read replaces all rows by the current ones; it is retried after a failure */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Reads for the first time and follows the changes. The table must exist. */
  async listen(notifications: Notifications, channel: string): Promise<void> {
    await notifications.subscribe({
      channel,
      onNotification: () => this.#refreshSoon(),
      onConnected: () => this.#refreshSoon(),
    });
    await this.#loading;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#loading;
  }

  /** A change during a read causes another read. */
  #refreshSoon(): void {
    this.#stale = true;
    this.#loading ??= this.#refresh().finally(() => (this.#loading = undefined));
  }

  async #refresh(): Promise<void> {
    while (this.#stale && !this.#closed) {
      this.#stale = false;
      try {
        await this.#read();
      } catch {
        clearTimeout(this.#retry);
        this.#retry = setTimeout(() => this.#refreshSoon(), RETRY_AFTER).unref();
        return;
      }
    }
  }
}
