import type { Notifications } from '../../kernel/listening.ts';

/** After a failure, in milliseconds. */
const RETRY_AFTER = 1_000;

/**
 * Rows that a process keeps in memory: read when it starts, and anew whenever a change is announced on a channel, by whichever
 * process, or the connection that hears of it was away.
 */
export class FollowedRows {
  readonly #read: () => Promise<void>;
  #loading: Promise<void> | undefined;
  #stale = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param read reads all and puts it in the place of what was there; tried again after a failure */
  constructor(read: () => Promise<void>) {
    this.#read = read;
  }

  /** Reads for the first time and follows the changes. The table must be there. */
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
