import type { UserContext } from '#kernel/context.ts';
import { LARGEST_ID } from '#kernel/ids.ts';
import type { PageRequest } from '#kernel/paging.ts';
import { statement } from '#kernel/read.ts';

const NEAR = statement<{ id: string }>(
  'notifications_near',
  'select id from notifications where account_id = $1 and id between $2 and $3 order by id desc',
);

/**
 * Ids are below 2^58 until 2109; numbers of that size are 32 apart, so rounding moves an id by at most this.
 */
const ROUNDING = 16n;

/**
 * Returns the viewer's notification that an id means. Groups and push messages contain ids as numbers,
 * because iOS apps read nothing else; web apps round them, and send the rounded one. An id that cannot be
 * rounded is returned as it is, at no cost; if several round to the same number, the newest wins.
 */
export async function unrounded(ctx: UserContext, id: string): Promise<string> {
  const number = Number(id);
  if (Number.isSafeInteger(number) || String(number) !== id) return id;
  const values = [ctx.viewer.account_id, bounded(BigInt(id) - ROUNDING), bounded(BigInt(id) + ROUNDING)];
  const near = (await ctx.db.query(NEAR, values)).map((row) => row.id);
  return near.find((each) => each === id) ?? near.find((each) => Number(each) === number) ?? id;
}

/** Returns the page that a web app means by ids that it may have rounded. */
export async function unroundedPage(ctx: UserContext, page: PageRequest): Promise<PageRequest> {
  const [before, after] = await Promise.all([unrounded(ctx, page.before), unrounded(ctx, page.after)]);
  return { ...page, before, after };
}

const bounded = (id: bigint): string => (id > BigInt(LARGEST_ID) ? BigInt(LARGEST_ID) : id).toString();
