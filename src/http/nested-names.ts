import { RookeryError } from '../kernel/errors.ts';
import type { Json, JsonObject } from '../kernel/event.ts';

const MAX_PARAMETERS = 1000;
const MAX_DEPTH = 5;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;
const INDEX = /^[0-9]{1,4}$/;

/**
 * Collects form parameters under the bracket names that Rails reads, which Mastodon's clients write:
 * `a[b]=1` is a hash, `a[]=1&a[]=2` a list, `a[][b]=1&a[][c]=2&a[][b]=3` a list of two hashes (a name that repeats starts
 * the next one) and `a[0][b]=1` too. Besides, `a=1&a=2` is a list. (Why not qs: it reads `a[][b]` in another way.)
 */
export class NestedNames {
  readonly #fields: JsonObject = {};
  #size = 0;

  /** @throws RookeryError `bad_request` for too many or too deep names, and for names that contradict each other. */
  add(name: string, value: string): void {
    this.#size += 1;
    if (this.#size > MAX_PARAMETERS) throw new RookeryError('bad_request', 'Too many parameters');
    const [key, ...rest] = segments(name);
    if (rest.length > MAX_DEPTH) throw new RookeryError('bad_request', 'Parameters are nested too deeply');
    assertText(name);
    assertText(value);
    assertKey(key);
    rest.forEach(assertKey);
    put(this.#fields, key, rest, value, name);
  }

  /** What was added, hashes with numbers as keys made into lists. */
  fields(): JsonObject {
    return Object.fromEntries(Object.entries(this.#fields).map(([key, value]) => [key, listsIn(value)]));
  }
}

/** @throws RookeryError `bad_request` for a key that means something to JavaScript's objects. */
export function assertKey(key: string): void {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
    throw new RookeryError('bad_request', `The parameter name ${key} is not allowed`);
  }
}

/** @throws RookeryError `bad_request` for text that Postgres cannot store: NUL and half a surrogate pair. */
export function assertText(text: string): void {
  if (text.includes('\0')) throw new RookeryError('bad_request', 'Text must not contain NUL characters');
  if (!text.isWellFormed()) throw new RookeryError('bad_request', 'Text is not valid Unicode');
}

/** `a[b][]` is `a`, `b`, and the empty text for "one more". A name with stray brackets is taken as it is. */
function segments(name: string): [string, ...string[]] {
  const match = NAME.exec(name);
  if (!match?.[2]) return [name];
  return [match[1] ?? '', ...match[2].slice(1, -1).split('][')];
}

function put(parent: JsonObject, key: string, rest: string[], value: string, name: string): void {
  const existing = Object.hasOwn(parent, key) ? parent[key] : undefined;
  const [next, ...after] = rest;
  if (next === undefined) {
    if (isHash(existing)) throw contradiction(name);
    if (Array.isArray(existing)) existing.push(value);
    else parent[key] = existing === undefined ? value : [existing, value];
  } else if (next === '') {
    if (isHash(existing)) throw contradiction(name);
    const list = Array.isArray(existing) ? existing : existing === undefined ? [] : [existing];
    parent[key] = list;
    append(list, after, value, name);
  } else {
    const hash = existing === undefined ? {} : existing;
    if (!isHash(hash)) throw contradiction(name);
    parent[key] = hash;
    put(hash, next, after, value, name);
  }
}

function append(list: Json[], rest: string[], value: string, name: string): void {
  const [key, ...after] = rest;
  if (key === undefined) {
    list.push(value);
    return;
  }
  if (key === '') throw new RookeryError('bad_request', `The parameter name ${name} is not understood`);
  let last = list.at(-1);
  if (!isHash(last) || holds(last, rest)) {
    last = {};
    list.push(last);
  }
  put(last, key, after, value, name);
}

/** True when the path has a value already. A path that ends in a list never has: it takes one more. */
function holds(hash: JsonObject, path: string[]): boolean {
  let value: Json | undefined = hash;
  for (const key of path) {
    if (key === '') return false;
    if (!isHash(value) || !Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}

function listsIn(value: Json): Json {
  if (Array.isArray(value)) return value.map(listsIn);
  if (!isHash(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => [key, listsIn(inner)]);
  if (!entries.every(([key]) => INDEX.test(key))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}

const isHash = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const contradiction = (name: string): RookeryError =>
  new RookeryError('bad_request', `The parameter ${name} is given in two different forms`);
