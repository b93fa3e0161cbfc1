import { Alphabet, EDGE, LOW_UNITS, OTHER } from './alphabet.ts';
import { buildTrie, compare } from './trie.ts';
import { isWordAt } from './word-characters.ts';

/** A pattern. `text` is folded (see `fold`). */
export interface Pattern {
  text: string;
  /** Matches whole words only: a word character at either end of the pattern must be at the end of a word. */
  wholeWord: boolean;
}

/** The maximum number of transitions in the table: half a megabyte. */
const MAX_TABLE = 1 << 17;

/**
 * All patterns at once, after Aho and Corasick (https://doi.org/10.1145/360825.360855). `matchesIn` takes time linear in the
 * text plus the number of patterns found, whatever the patterns are: a character costs amortised constant many steps
 * (times the logarithm of how many characters may follow, for rare long prefixes), and each pattern is reported once.
 *
 * States are numbered breadth first, so the children of a state stand side by side, in the order of their symbols. Shallow
 * states, where a text spends most of its time, have all their transitions in a table; deeper ones look for a child and
 * else follow the failure links.
 */
export class Automaton {
  readonly #alphabet = new Alphabet();

  /**
   * By state: the symbol that leads to it, and its first child (the last one comes before the first of the
   * next state).
   */
  readonly #symbolTo: Uint16Array;
  readonly #firstChild: Int32Array;
  readonly #failure: Int32Array;
  /** By state: the state of the longest pattern among its suffixes, itself included; 0 for none. */
  readonly #report: Int32Array;
  /** By state: the numbers of the patterns that end there. */
  readonly #patternsAt = new Map<number, number[]>();
  /**
   * The next state by symbol: twice the state, plus one when there is something to report. Two bytes each if
   * they suffice, so that a row of most users' keywords is one cache line of the processor, which takes most
   * of the time.
   */
  readonly #table: Uint16Array | Int32Array;
  readonly #tabled: number;

  /**
   * By state: the search that last reported it, after which everything further down the links is reported
   * too.
   */
  readonly #reportedIn: Uint32Array;
  #search = 0;

  constructor(patterns: readonly Pattern[]) {
    const coded = patterns
      .map((pattern, index) => ({ index, symbols: this.#encode(pattern) }))
      .sort((a, b) => compare(a.symbols, b.symbols));
    const trie = buildTrie(coded.map(({ symbols }) => symbols));
    this.#symbolTo = trie.symbolTo;
    this.#firstChild = trie.firstChild;
    for (const [place, state] of trie.stateOf.entries()) {
      const pattern = coded[place]?.index ?? 0;
      const here = this.#patternsAt.get(state);
      if (here) here.push(pattern);
      else this.#patternsAt.set(state, [pattern]);
    }
    const size = trie.symbolTo.length;
    this.#failure = new Int32Array(size);
    this.#report = new Int32Array(size);
    this.#reportedIn = new Uint32Array(size);
    this.#tabled = Math.min(size, Math.max(1, Math.floor(MAX_TABLE / this.#alphabet.size)));
    const entries = this.#tabled * this.#alphabet.size;
    this.#table = size <= 0x7fff ? new Uint16Array(entries) : new Int32Array(entries);
    this.#link();
  }

  get bytes(): number {
    return this.#symbolTo.length * 18 + this.#table.byteLength + this.#patternsAt.size * 64 + 4_096;
  }

  /** Returns the numbers of the patterns in a folded text, each once. */
  matchesIn(text: string): number[] {
    const found: number[] = [];
    const search = this.#nextSearch();
    const table = this.#table;
    const tabled = this.#tabled;
    const { low, size: symbols } = this.#alphabet;
    const length = text.length;
    let state = 0;
    let inWord = false;
    // The hot loop: it inlines the first lookups of `#step` and `#collect`.
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      const isWord: boolean = isLowSurrogate(unit) ? inWord : isWordAt(text, index, unit);
      if (isWord !== inWord) {
        const next = state < tabled ? (table[state * symbols] ?? 0) : this.#step(state, EDGE);
        state = next >> 1;
        if ((next & 1) !== 0) this.#collect(state, search, found);
        inWord = isWord;
      }
      const symbol = unit < LOW_UNITS ? (low[unit] ?? OTHER) : this.#alphabet.symbolOf(unit);
      const next = state < tabled ? (table[state * symbols + symbol] ?? 0) : this.#step(state, symbol);
      state = next >> 1;
      if ((next & 1) !== 0) this.#collect(state, search, found);
    }
    if (inWord) this.#collect(this.#step(state, EDGE) >> 1, search, found);
    return found;
  }

  #collect(state: number, search: number, found: number[]): void {
    let at = this.#report[state] ?? 0;
    while (at !== 0 && this.#reportedIn[at] !== search) {
      this.#reportedIn[at] = search;
      found.push(...(this.#patternsAt.get(at) ?? []));
      at = this.#report[this.#failure[at] ?? 0] ?? 0;
    }
  }

  /** Encoded as in the table. */
  #step(from: number, symbol: number): number {
    let state = from;
    while (state >= this.#tabled) {
      const child = this.#child(state, symbol);
      if (child !== 0) return this.#coded(child);
      state = this.#failure[state] ?? 0;
    }
    return this.#table[state * this.#alphabet.size + symbol] ?? 0;
  }

  #coded(state: number): number {
    return state * 2 + (this.#report[state] === 0 ? 0 : 1);
  }

  /** Returns the child of a state by a symbol, or 0. */
  #child(state: number, symbol: number): number {
    let low = this.#firstChild[state] ?? 0;
    let high = (this.#firstChild[state + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const there = this.#symbolTo[middle] ?? 0;
      if (there === symbol) return middle;
      if (there < symbol) low = middle + 1;
      else high = middle - 1;
    }
    return 0;
  }

  /** Links states breadth first: a link leads to a shorter state, which is complete. */
  #link(): void {
    for (let state = 0; state < this.#symbolTo.length; state += 1) {
      const failure = this.#failure[state] ?? 0;
      if (state < this.#tabled && state !== 0) {
        const row = failure * this.#alphabet.size;
        this.#table.copyWithin(state * this.#alphabet.size, row, row + this.#alphabet.size);
      }
      const end = this.#firstChild[state + 1] ?? 0;
      for (let child = this.#firstChild[state] ?? 0; child < end; child += 1) {
        const symbol = this.#symbolTo[child] ?? 0;
        const link = state === 0 ? 0 : this.#step(failure, symbol) >> 1;
        this.#failure[child] = link;
        this.#report[child] = this.#patternsAt.has(child) ? child : (this.#report[link] ?? 0);
        if (state < this.#tabled) this.#table[state * this.#alphabet.size + symbol] = this.#coded(child);
      }
    }
  }

  #nextSearch(): number {
    if (this.#search === 0xffffffff) {
      this.#search = 0;
      this.#reportedIn.fill(0);
    }
    this.#search += 1;
    return this.#search;
  }

  /**
   * Returns a pattern as symbols, with the edges of words inside of it; at its own ends for whole words only.
   */
  #encode({ text, wholeWord }: Pattern): number[] {
    const symbols: number[] = [];
    let inWord = !wholeWord && text !== '' && isWordAt(text, 0, text.charCodeAt(0));
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      const isWord: boolean = isLowSurrogate(unit) ? inWord : isWordAt(text, index, unit);
      if (isWord !== inWord) symbols.push(EDGE);
      inWord = isWord;
      symbols.push(this.#alphabet.add(unit));
    }
    if (wholeWord && inWord) symbols.push(EDGE);
    return symbols;
  }
}

/** The second half of a character belongs to a word if the first half does. */
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
