/**
 * The symbol at each edge of a word, in patterns and texts alike. So boundaries are a part of what is matched, and nothing
 * is checked after a match, which could go wrong many times at one place.
 */
export const EDGE = 0;
/** Every UTF-16 unit that no pattern has. */
export const OTHER = 1;
/** Units below are looked up in an array. */
export const LOW_UNITS = 0x300;

/** The symbols that patterns are made of: as few as they need, since each is a column of the automaton's table. */
export class Alphabet {
  readonly low = new Uint16Array(LOW_UNITS).fill(OTHER);
  readonly #high = new Map<number, number>();
  size = 2;

  symbolOf(unit: number): number {
    if (unit < LOW_UNITS) return this.low[unit] ?? OTHER;
    return this.#high.size === 0 ? OTHER : (this.#high.get(unit) ?? OTHER);
  }

  /** The symbol of this unit, a new one if it has none yet. */
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
