import { isDeepStrictEqual } from 'node:util';

/** Returns the changes that differ; undefined when none does. */
export function changedFields<T extends object>(before: T, changes: Partial<T>): Partial<T> | undefined {
  const entries = Object.entries(changes).filter(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, before[key as keyof T]),
  );
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<T>);
}
