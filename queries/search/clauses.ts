import { invalid } from '#kernel/errors.ts';
import { languageCode } from '#mastodon/language.ts';
import { type Phrase, phraseOf, signOf } from '#mastodon/search-text.ts';
import { dateRange } from './dates.ts';

/** The maximum number of clauses of one search, and of the words in all of them; the rest is ignored. */
const MAX_CLAUSES = 20;
const MAX_WORDS = 60;
/** Shorter words match only themselves, not all words that begin with them. */
const SHORTEST_BEGINNING = 3;

/** A condition on posts. */
export type Clause = { excluded: boolean } & (
  | { kind: 'words'; phrase: Phrase }
  | { kind: 'from'; name: string }
  /** A property (`signOf`) of the post. */
  | { kind: 'property'; property: string }
  /** A card with a player. */
  | { kind: 'embed' }
);

export interface ParsedSearch {
  clauses: Clause[];
  /** The posts to search: those related to the viewer, those that everyone finds, or both. */
  place: 'library' | 'public' | 'all';
  /** Milliseconds since 1970: `from` is included, `until` is not. */
  from: number | undefined;
  until: number | undefined;
}

const QUOTES = /[“”„«»「」『』《》]/g;
/** An operator, a prefix, and a quotation or the text up to the next space. */
const CLAUSE = /([+-]?)(?:([a-z_]+):(?=[^\s/:]))?(?:"([^"]*)"?|([^\s"]+))/gi;

/**
 * Parses a search for posts in Mastodon's language: `"a phrase"`, `-excluded`, `+wanted`,
 * `from:alice@far.example`, `has:image`, `is:reply`, `language:en`, `before:2026-11-22`, `in:library`.
 * https://docs.joinmastodon.org/methods/search/; the prefixes are those that Mastodon 4.2 offers below its
 * search field.
 * @throws RookeryError `invalid` for an unknown prefix, or an invalid value of a known one
 */
export function parseSearch(q: string): ParsedSearch {
  const parsed: ParsedSearch = { clauses: [], place: 'all', from: undefined, until: undefined };
  let words = 0;
  for (const [, operator, prefix, phrase, text] of q.replace(QUOTES, '"').matchAll(CLAUSE)) {
    const excluded = operator === '-';
    if (prefix !== undefined) {
      readPrefix(parsed, prefix.toLowerCase(), (phrase ?? text ?? '').trim(), excluded);
    } else {
      const found = shortened(phraseOf(phrase ?? text ?? ''), MAX_WORDS - words);
      words += found.words.length;
      if (found.words.length > 0) {
        const wanted = phrase === undefined ? beginning(found) : found;
        parsed.clauses.push({ kind: 'words', phrase: wanted, excluded });
      }
    }
    if (parsed.clauses.length >= MAX_CLAUSES) break;
  }
  return parsed;
}

const shortened = ({ words, begins }: Phrase, max: number): Phrase =>
  words.length <= max ? { words, begins } : { words: words.slice(0, max), begins: false };

/** `rook` finds `rooks` as well. An excluded or quoted word matches only itself. */
function beginning({ words, begins }: Phrase): Phrase {
  const [only = '', ...others] = words;
  return { words, begins: begins || (others.length === 0 && only.length >= SHORTEST_BEGINNING) };
}

function readPrefix(parsed: ParsedSearch, prefix: string, value: string, excluded: boolean): void {
  const read = PREFIXES.get(prefix);
  if (!read) throw invalid(`Unsupported prefix: ${prefix}`);
  const condition = read(value.toLowerCase(), value);
  if (condition && 'kind' in condition) parsed.clauses.push({ ...condition, excluded });
  else if (condition && !excluded) narrow(parsed, condition);
  else throw invalid(`Unsupported value of ${prefix}: ${value.slice(0, 100)}`);
}

/**
 * Interprets a value after its prefix; undefined for an invalid one. `value` is in lower case, `given` is
 * not.
 */
type Prefix = (value: string, given: string) => DistributedOmit<Clause, 'excluded'> | Narrowing | undefined;
type DistributedOmit<T, Key extends keyof T> = T extends unknown ? Omit<T, Key> : never;
type Narrowing = Partial<Pick<ParsedSearch, 'place' | 'from' | 'until'>>;

const oneOf =
  (prefix: string, ...values: readonly string[]): Prefix =>
  (value) =>
    values.includes(value) ? { kind: 'property', property: signOf(prefix, value) } : undefined;
const hasPart = oneOf('has', 'media', 'image', 'video', 'audio', 'poll', 'link');

const PREFIXES = new Map<string, Prefix>([
  ['from', (_value, name) => ({ kind: 'from', name })],
  ['has', (value, given) => (value === 'embed' ? { kind: 'embed' } : hasPart(value, given))],
  ['is', oneOf('is', 'reply', 'sensitive')],
  [
    'language',
    (value) => {
      const code = languageCode(value);
      return code === null
        ? undefined
        : { kind: 'property', property: signOf('language', code.toLowerCase()) };
    },
  ],
  [
    'in',
    (value) => (value === 'library' || value === 'public' || value === 'all' ? { place: value } : undefined),
  ],
  ['before', (value) => mapped(dateRange(value), ({ start }) => ({ until: start }))],
  ['after', (value) => mapped(dateRange(value), ({ end }) => ({ from: end }))],
  ['during', (value) => mapped(dateRange(value), ({ start, end }) => ({ from: start, until: end }))],
]);

const mapped = <In, Out>(value: In | undefined, change: (value: In) => Out): Out | undefined =>
  value === undefined ? undefined : change(value);

/** Intersects several dates. */
function narrow(parsed: ParsedSearch, { place, from, until }: Narrowing): void {
  if (place !== undefined) parsed.place = place;
  if (from !== undefined) parsed.from = Math.max(parsed.from ?? from, from);
  if (until !== undefined) parsed.until = Math.min(parsed.until ?? until, until);
}
