import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Import } from '#kernel/services/imports.ts';
import { allListsOf } from '#queries/lists/index.ts';
import { createListAs, MAX_LISTS } from '../lists/index.ts';

/**
 * Resolves the titles of a file before any list is made: to existing lists, and to ids for as many more as
 * the account may have. The ids are stored first, so each list is made once, whatever crashes.
 */
export async function chooseLists(ctx: CommandContext, { id, account_id }: Import): Promise<Import['lists']> {
  const [there, titles] = await Promise.all([
    allListsOf(ctx.db, account_id),
    ctx.services.imports.titles(id, 2 * MAX_LISTS),
  ]);
  const chosen = new Map(there.toReversed().map((list) => [list.title, list.id]));
  const more = titles.filter((title) => !chosen.has(title)).slice(0, Math.max(0, MAX_LISTS - there.length));
  for (const title of more) chosen.set(title, ctx.newId());
  return Object.fromEntries(titles.flatMap((title) => [[title, chosen.get(title)]]).filter(isChosen));
}

const isChosen = (entry: (string | undefined)[]): entry is [string, string] => entry[1] !== undefined;

/**
 * Creates the missing lists. A list that is deleted meanwhile stays deleted. May run again: the ids are drawn
 * before.
 */
export async function makeLists(ctx: CommandContext, { account_id, lists }: Import): Promise<void> {
  if (lists === null) return;
  const there = new Set((await allListsOf(ctx.db, account_id)).map(({ id }) => id));
  const missing = Object.entries(lists).filter(([, id]) => !there.has(id));
  await Promise.all(
    missing.map(([title, list_id]) =>
      createListAs(ctx, { list_id, account_id, input: { title } }).catch(unlessMade),
    ),
  );
}

/** It was created before a crash, or there is no room for it: its rows then report that. */
function unlessMade(error: unknown): void {
  if (!isRookeryError(error) || (error.code !== 'conflict' && error.code !== 'invalid')) throw error;
}
