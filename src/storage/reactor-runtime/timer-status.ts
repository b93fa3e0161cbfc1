import { errorText } from '../postgres/projector/failures.ts';

/** The work of a timer since this process runs it. Times are milliseconds since 1970. */
export interface TimerState {
  name: string;
  /** The next run, also one that tries a failed row again; undefined while nothing is due. */
  nextAt: number | undefined;
  firedAt: number | undefined;
  fired: number;
  /** The number of rows that wait for another try. */
  failing: number;
  /** The last failure; undefined once everything succeeded. */
  error: string | undefined;
  failingSince: number | undefined;
}

/** The state of a timer, for operators. */
export class TimerStatus {
  readonly name: string;
  readonly #onChanged: () => void;
  readonly #state: TimerState;
  #known = false;

  constructor(name: string, onChanged: () => void) {
    this.name = name;
    this.#onChanged = onChanged;
    this.#state = {
      name,
      nextAt: undefined,
      firedAt: undefined,
      fired: 0,
      failing: 0,
      error: undefined,
      failingSince: undefined,
    };
  }

  /** Returns the state, or undefined before the timer has looked for something due. */
  state(): TimerState | undefined {
    return this.#known ? { ...this.#state } : undefined;
  }

  /** Notes that the timer acts on something. */
  begins(): void {
    this.#known = true;
    this.#state.nextAt ??= Date.now();
    this.#onChanged();
  }

  /** Notes that the timer acted on a row. */
  fired(): void {
    this.#state.fired += 1;
    this.#state.firedAt = Date.now();
    this.#onChanged();
  }

  /** Notes that the timer, or one of its rows, failed. */
  failed(error: unknown): void {
    this.#state.error = errorText(error);
    this.#state.failingSince ??= Date.now();
    this.begins();
  }

  /** Notes that nothing is left to do until `next`, which is Infinity while nothing is due. */
  checked(next: number, failing: number): void {
    this.#known = true;
    this.#state.nextAt = Number.isFinite(next) ? next : undefined;
    this.#state.failing = failing;
    if (failing === 0) {
      this.#state.error = undefined;
      this.#state.failingSince = undefined;
    }
    this.#onChanged();
  }
}
