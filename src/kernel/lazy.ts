import { memoizeAsync } from './memoize-async.ts';

type AsyncMethods<Name extends PropertyKey> = Record<Name, (...args: never[]) => Promise<unknown>>;

/**
 * Returns an object with these methods, which opens the real object with the first call, so an idle server saves
 * its memory. `close` closes the real object if it was opened.
 */
export function lazy<Name extends PropertyKey, T extends AsyncMethods<Name>>(
  open: () => Promise<T & { close?: () => unknown }>,
  names: readonly Name[],
): Pick<T, Name> & { close(): Promise<void> } {
  let opened = false;
  const load = memoizeAsync(() => {
    opened = true;
    return open();
  });
  const method =
    (name: Name) =>
    async (...args: never[]) =>
      (await load())[name](...args);
  return {
    ...(Object.fromEntries(names.map((name) => [name, method(name)])) as Pick<T, Name>),
    close: async () => {
      if (opened) await (await load()).close?.();
    },
  };
}
