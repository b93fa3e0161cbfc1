/** A file on the local disk for waiting requests, removed when the last one has sent it. */
export class Loan {
  readonly path: string;
  readonly extension: string;
  readonly #remove: () => void;
  #holders: number;

  constructor(file: { path: string; extension: string }, holders: number, remove: () => void) {
    this.path = file.path;
    this.extension = file.extension;
    this.#holders = holders;
    this.#remove = remove;
    if (holders === 0) remove();
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders === 0) this.#remove();
  }
}
