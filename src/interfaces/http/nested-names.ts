import { RookeryError } from '#kernel/errors.ts';
import type { Json, JsonObject } from '#kernel/event.ts';
import { isIndex } from '#kernel/input.ts';

const MAX_PARAMETERS = 1000;
const MAX_DEPTH = 5;
/** UTF-16 code units. */
const MAX_NAME = 1_000;
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/** A hash is a Map: an object would sort keys that are numbers first. */
type Hash = Map<string, Node>;
type Node = string | Node[] | Hash;

/**
 * Collects form parameters under the bracket names that Rails reads: `a[b]=1` is a hash, `a[]=1&a[]=2` a
 * list, `a[][b]=1&a[][c]=2&a[][b]=3` a list of two hashes (a repeated name starts the next one), and so is
 * `a[0][b]=1`: as in Mastodon, the order counts and the numbers do not. The last of `a=1&a=2` wins. (qs reads
 * `a[][b]` differently.)
 */
export class NestedNames {
  readonly #fields: Hash = new Map();
  #size = 0;

  /**
   * Throws RookeryError `bad_request` for too many, too long or too deep names, and for contradictory names.
   */
  add(name: string, value: string): void {
    this.#size += 1;
    if (this.#size > MAX_PARAMETERS) throw new RookeryError('bad_request', 'Too many parameters');
    if (name.length > MAX_NAME) throw new RookeryError('bad_request', 'The name of a parameter is too long');
    const [key, ...rest] = segments(name);
    if (rest.length > MAX_DEPTH) throw new RookeryError('bad_request', 'Parameters are nested too deeply');
    assertText(name);
    assertText(value);
    assertKey(key);
    rest.forEach(assertKey);
    put(this.#fields, key, rest, value, name);
  }

  /** Returns the fields; a hash whose keys are numbers becomes a list. */
  fields(): JsonObject {
    return Object.fromEntries([...this.#fields].map(([key, value]) => [key, plain(value)]));
  }
}

/** Throws RookeryError `bad_request` for a key with a meaning for JavaScript's objects. */
export function assertKey(key: string): void {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
    throw new RookeryError('bad_request', `The parameter name ${key} is not allowed`);
  }
}

/** Throws RookeryError `bad_request` for text that Postgres cannot store: NUL and half a surrogate pair. */
export function assertText(text: string): void {
  if (text.includes('\0')) throw new RookeryError('bad_request', 'Text must not contain NUL characters');
  if (!text.isWellFormed()) throw new RookeryError('bad_request', 'Text is not valid Unicode');
}

/**
 * Returns `a`, `b` and an empty text, which appends to a list, for `a[b][]`. A name with stray brackets is
 * one segment.
 */
function segments(name: string): [string, ...string[]] {
  const match = NAME.exec(name);
  if (!match?.[2]) return [name];
  return [match[1] ?? '', ...match[2].slice(1, -1).split('][')];
}

function put(parent: Hash, key: string, rest: string[], value: string, name: string): void {
  const existing = parent.get(key);
  const [next, ...after] = rest;
  if (next === undefined) {
    parent.set(key, value);
  } else if (next === '') {
    if (existing !== undefined && !Array.isArray(existing)) throw contradiction(name);
    const list = existing ?? [];
    parent.set(key, list);
    append(list, after, value, name);
  } else {
    const hash = existing ?? new Map<string, Node>();
    if (!(hash instanceof Map)) throw contradiction(name);
    parent.set(key, hash);
    put(hash, next, after, value, name);
  }
}

function append(list: Node[], rest: string[], value: string, name: string): void {
  const [key, ...after] = rest;
  if (key === undefined) {
    list.push(value);
    return;
  }
  if (key === '') throw new RookeryError('bad_request', `The parameter name ${name} is not understood`);
  let last = list.at(-1);
  if (!(last instanceof Map) || holds(last, rest)) {
    last = new Map();
    list.push(last);
  }
  put(last, key, after, value, name);
}

/**
 * Returns true when the path has a value already. A path that ends in a list never has one: it takes another
 * value.
 */
function holds(hash: Hash, path: string[]): boolean {
  let value: Node | undefined = hash;
  for (const key of path) {
    if (key === '') return false;
    if (!(value instanceof Map) || !value.has(key)) return false;
    value = value.get(key);
  }
  return true;
}

function plain(node: Node): Json {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(plain);
  const entries = [...node].map(([key, inner]): [string, Json] => [key, plain(inner)]);
  return entries.every(([key]) => isIndex(key))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries);
}

/** Returns the error for a parameter with two names that exclude each other. */
export const contradiction = (name: string): RookeryError =>
  new RookeryError('bad_request', `The parameter ${name} is given in two different forms`);
