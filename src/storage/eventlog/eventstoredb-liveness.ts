/** Milliseconds between two checks. A subscription that is deaf is noticed within three of them. */
const EVERY = 800;

export interface LivenessOptions {
  /** Returns the position of the last event that the subscription brought. */
  position: () => bigint;
  /** Returns the newest position that this process knows, from its appends or its reads. */
  known: () => bigint;
  /** Reads the head, which `known` then returns. */
  ask: () => Promise<unknown>;
  /** Called when the subscription brought nothing while the log grew, at each further check. */
  onDeaf: () => void;
}

/**
 * Notices a subscription that hears nothing while the log grows. When a server hangs or its packets are dropped, the call stays open for
 * up to 20 seconds, long after appends go to another server. A check costs nothing while events arrive, and a small read otherwise.
 */
export class Liveness {
  readonly #options: LivenessOptions;
  readonly #timer: NodeJS.Timeout;
  #heard = true;
  /** A position of the log that the subscription had not brought when it was last compared. */
  #missing: bigint | undefined;
  #asking = false;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.check(), EVERY).unref();
  }

  /** The server sent something. */
  hear(): void {
    this.#heard = true;
  }

  check(): void {
    const { position, known, onDeaf } = this.#options;
    const heard = this.#heard;
    this.#heard = false;
    if (!heard && this.#missing !== undefined && position() < this.#missing) return onDeaf();
    this.#missing = known() > position() ? known() : undefined;
    if (!heard && this.#missing === undefined) void this.#ask();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { position, known, ask } = this.#options;
    // An outage is noticed by the calls that it meets.
    await ask().catch(() => undefined);
    this.#asking = false;
    if (known() > position()) this.#missing ??= known();
  }
}
