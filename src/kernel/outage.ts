/** Other connections fail with the same codes, so an error alone does not tell where it came from. */
const outages = new WeakSet<object>();

/** Marks an error as caused by a store that cannot be reached. Returns the error. */
export function markOutage<E extends object>(error: E): E {
  outages.add(error);
  return error;
}

/** Tells whether an error was marked: the database or the event log cannot be reached. */
export const isStoreOutage = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && outages.has(error);
