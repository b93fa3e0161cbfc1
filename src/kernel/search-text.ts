import { cutToLength } from './normalize-tag.ts';
import { fold } from './search-terms.ts';

/** Words of a text that are found; what comes after is not looked at. */
const MAX_TERMS = 4_000;
/** In UTF-16 units, so that a term has no more bytes than Postgres takes. */
const MAX_TERM_LENGTH = 100;

/**
 * Runs of letters, digits and marks: of scripts that put no spaces between words, or whose words grow at their ends (the first
 * group), and of all others.
 */
const RUNS =
  /([[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}\p{M}]]+)|[[\p{L}\p{N}\p{M}]--[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]+/gv;

/** A term of a text and its place, counted from 1. `begins`: it is the beginning of what is looked for. */
export interface PlacedTerm {
  term: string;
  at: number;
  begins?: boolean;
}

/**
 * What a text is found by, in order. Words are folded as names are (`search-terms.ts`); in scripts without spaces each character
 * makes a term with the one behind it, so that every sequence of characters is a sequence of terms.
 */
export function termsOfText(text: string): string[] {
  const terms: string[] = [];
  for (const run of runsOf(text)) {
    if (typeof run === 'string') terms.push(run);
    else run.forEach((character, index) => terms.push(character + (run[index + 1] ?? '')));
    if (terms.length >= MAX_TERMS) return terms.slice(0, MAX_TERMS);
  }
  return terms;
}

/** What a text must hold, at these distances, to hold the words that somebody looks for. */
export function termsOfPhrase(text: string): PlacedTerm[] {
  const terms: PlacedTerm[] = [];
  let at = 1;
  for (const run of runsOf(text)) {
    if (typeof run === 'string') {
      terms.push({ term: run, at });
      at += 1;
      continue;
    }
    const [only, next] = run;
    if (only !== undefined && next === undefined) terms.push({ term: only, at, begins: true });
    for (let index = 0; index + 1 < run.length; index += 1) {
      terms.push({ term: `${run[index]}${run[index + 1]}`, at: at + index });
    }
    at += run.length;
  }
  return terms;
}

/** What lies between spaces and punctuation, as far as ASCII has them: each is folded by itself, so that most need no folding. */
const CHUNKS = /[0-9A-Za-z\u0080-\uFFFF]+/g;
const ASCII = /^[0-9A-Za-z]+$/;

/** Each is either a word, or the characters of a run of a script without spaces. */
function runsOf(text: string): (string | string[])[] {
  const found: (string | string[])[] = [];
  for (const chunk of text.match(CHUNKS) ?? []) {
    const plain = ASCII.test(chunk) ? chunk.toLowerCase() : fold(chunk).normalize('NFC');
    if (ASCII.test(plain)) found.push(cutToLength(plain, MAX_TERM_LENGTH));
    else {
      for (const [run, unspaced] of plain.matchAll(RUNS)) {
        found.push(unspaced === undefined ? cutToLength(run, MAX_TERM_LENGTH) : [...unspaced]);
      }
    }
  }
  return found;
}
