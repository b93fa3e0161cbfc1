import type { ForeignEvent } from './port.ts';

/** Streams that are told apart; beyond them, none is reported. */
const MOST = 1_000;

/** Reports the first event of another program in each stream with a name of this program. */
export class ForeignStreams {
  readonly #report: (event: ForeignEvent) => void;
  readonly #streams = new Set<string>();

  constructor(report: (event: ForeignEvent) => void = () => undefined) {
    this.#report = report;
  }

  saw(event: ForeignEvent): void {
    if (this.#streams.has(event.stream) || this.#streams.size >= MOST) return;
    this.#streams.add(event.stream);
    this.#report(event);
  }
}
