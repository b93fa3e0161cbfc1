interface DelayedWriterOptions {
  write: () => Promise<void>;
  /** Milliseconds until another try after a failure. */
  retryAfter: number;
  onError: (error: unknown) => void;
}

/** Stores many changes in one write, and one write at a time. */
export class DelayedWriter {
  readonly #options: DelayedWriterOptions;
  #timer: NodeJS.Timeout | undefined;
  #at = Infinity;
  #running: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;

  constructor(options: DelayedWriterOptions) {
    this.#options = options;
  }

  /** Writes after so many milliseconds at the latest. */
  within(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (at >= this.#at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(() => void this.flush().catch(this.#options.onError), milliseconds);
  }

  /** Writes as soon as the present write has ended. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#at > 0) this.#at = Infinity;
    return (this.#waiting ??= this.#running.then(() => this.#write()));
  }

  /** Writes nothing of its own accord from here on. */
  close(): void {
    clearTimeout(this.#timer);
    this.#at = -Infinity;
  }

  #write(): Promise<void> {
    this.#waiting = undefined;
    const { write, retryAfter } = this.#options;
    const written = write();
    this.#running = written.catch(() => this.within(retryAfter));
    return written;
  }
}
