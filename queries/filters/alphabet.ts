/**
 * The symbol at each edge of a word, in patterns and texts. Word boundaries are a part of the pattern, so no
 * match needs a check afterwards, which could fail many times at one place.
 */
export const EDGE = 0;
/** Every UTF-16 unit that occurs in no pattern. */
export const OTHER = 1;
/** Units below are looked up in an array. */
export const LOW_UNITS = 0x300;

/** The symbols of all patterns: as few as possible, because each is a column of the automaton's table. */
export class Alphabet {
  readonly low = new Uint16Array(LOW_UNITS).fill(OTHER);
  readonly #high = new Map<number, number>();
  size = 2;

  symbolOf(unit: number): number {
    if (unit < LOW_UNITS) return this.low[unit] ?? OTHER;
    return this.#high.size === 0 ? OTHER : (this.#high.get(unit) ?? OTHER);
  }

  /** Returns the symbol of a unit, a new one if it has none yet. */
  add(unit: number): number {
    const known = this.symbolOf(unit);
    if (known !== OTHER) return known;
    const symbol = this.size;
    this.size += 1;
    if (unit < LOW_UNITS) this.low[unit] = symbol;
    else this.#high.set(unit, symbol);
    return symbol;
  }
}
