import { isDeepStrictEqual } from 'node:util';
import type { Replay, ReplayState } from '#mastodon/schemas/index.ts';

type Value = Replay['changes'][number]['before'];

/** Returns the fields that differ between two states, each named by its path. */
export function changesBetween(before: ReplayState, after: ReplayState): Replay['changes'] {
  const [old, now] = [new Map(fieldsOf(before)), new Map(fieldsOf(after))];
  const names = new Set([...old.keys(), ...now.keys()]);
  return [...names]
    .filter((field) => !isDeepStrictEqual(old.get(field), now.get(field)))
    .filter((field) => (old.has(field) && now.has(field)) || !isNothing(old.get(field) ?? now.get(field)))
    .map((field) => ({ field, before: old.get(field) ?? null, after: now.get(field) ?? null }));
}

/** A new thing has most flags unset, which is no change. */
const isNothing = (value: Value | undefined): boolean =>
  value === undefined || value === false || value === 0 || (Array.isArray(value) && value.length === 0);

/** Ids and the states of texts are no facts that change. */
const SKIPPED = new Set(['id', 'shown', 'account_id', 'target_account_id', 'name']);

/** Yields all values with their paths: `account.silenced`, `reports.12.state`. */
function* fieldsOf(given: unknown, path = ''): Generator<[string, Value]> {
  if (Array.isArray(given) && given.some((each) => typeof each === 'object')) {
    for (const each of given as { id: string }[]) yield* fieldsOf(each, `${path}.${each.id}`);
    return;
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    if (given !== null && given !== '') yield [path, given as Value];
    return;
  }
  for (const [name, value] of Object.entries(given)) {
    if (!SKIPPED.has(name)) yield* fieldsOf(value, path === '' ? name : `${path}.${name}`);
  }
}
