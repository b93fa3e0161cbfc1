import type { Instance } from '#kernel/context.ts';
import { isId } from '#kernel/ids.ts';
import type { Db } from '#kernel/read.ts';
import { accountsOfKeys, acctKey } from '#queries/accounts/index.ts';

const ACCOUNTS = ['actor', 'target'] as const;

/** The parameters that may name an account by its handle. */
type Named = Partial<Record<(typeof ACCOUNTS)[number], string | undefined>>;

/**
 * Replaces handles by the ids of their accounts, in one statement. `@7` is a handle, `7` an id. An unknown
 * handle stays, and then matches nothing.
 */
export async function withAccountIds<Query extends Named>(
  { db, instance }: { db: Db; instance: Instance },
  query: Query,
): Promise<Query> {
  const handles = ACCOUNTS.flatMap((name) => {
    const text = query[name]?.trim() ?? '';
    return text === '' || isId(text) ? [] : [[name, acctKey(text, instance)] as const];
  });
  if (handles.length === 0) return query;
  const known = await accountsOfKeys(
    db,
    handles.map(([, key]) => key),
  );
  const ids = handles.flatMap(([name, key]) => {
    const id = known.get(key)?.id;
    return id === undefined ? [] : [[name, id] as const];
  });
  return { ...query, ...Object.fromEntries(ids) };
}
