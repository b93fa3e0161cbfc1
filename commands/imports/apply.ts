import type { CommandContext } from '#kernel/context.ts';
import { type ErrorCode, invalid, isRookeryError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { Import, ImportRow } from '#kernel/services/imports.ts';
import type { ImportType } from '#mastodon/portability.ts';
import { followOrRequest } from '#queries/lists/index.ts';
import { followAs } from '../accounts/index.ts';
import { blockDomainAs } from '../domain-blocks/index.ts';
import { MAX_LISTS, putIntoList } from '../lists/index.ts';
import { changeRelationship, decideBlock, decideMute, directionOf } from '../relationships/index.ts';
import { bookmarkAs } from '../statuses/index.ts';

type Carrier = (ctx: CommandContext, row: ImportRow, of: Import, target: Id) => Promise<unknown>;

const NOBODY = 'There is no such account, or its server does not answer';
const NO_POST = 'There is no such post, or it is not for you';

/** The action for rows of each kind; `target` is the account or post that the row names. */
const CARRIERS: Record<ImportType, Carrier> = {
  following: (ctx, { settings: { notifications: _, ...settings } }, { account_id }, target) =>
    followAs(ctx, account_id, target, settings),
  blocks: (ctx, _row, { account_id }, target) => {
    const id = ctx.newId();
    const pair = { account_id, target_account_id: target };
    return changeRelationship(ctx, pair, (state) => decideBlock(state, { id, ...pair }));
  },
  mutes: (ctx, { settings }, { account_id }, target) => {
    const [id, { now }] = [ctx.newId(), ctx];
    const pair = { account_id, target_account_id: target };
    return changeRelationship(ctx, pair, (state) => {
      // A file has no end times, so a temporary mute stays temporary.
      const { muting } = directionOf(state, account_id);
      const until = muting?.expires_at ?? null;
      const expires_at = until !== null && Date.parse(until) > Date.parse(now) ? until : null;
      const notifications = settings.notifications ?? muting?.notifications ?? true;
      return decideMute(state, { id, now, ...pair, notifications, expires_at });
    });
  },
  'domain-blocks': (ctx, { key: domain }, { account_id }) => blockDomainAs(ctx, { account_id, domain }),
  lists: async (ctx, { list }, { account_id, lists }, target) => {
    // A title may equal a member of every object, such as `toString`.
    const title = list ?? '';
    const listId = lists !== null && Object.hasOwn(lists, title) ? lists[title] : undefined;
    if (listId === undefined) throw invalid(`You cannot have more than ${MAX_LISTS} lists`);
    const followed = await followOrRequest(ctx.db, account_id, target);
    if (followed === undefined) await followAs(ctx, account_id, target, {});
    await putIntoList(ctx, { accountId: account_id, listId, memberId: target });
  },
  bookmarks: (ctx, _row, { account_id }, target) => bookmarkAs(ctx, account_id, target),
};

/**
 * Applies one row; a repeat changes nothing.
 * @param targets the accounts or posts of the rows, by their keys
 * @returns why the row cannot be applied, or undefined @throws errors that another try may avoid
 */
export async function applyRow(
  ctx: CommandContext,
  of: Import,
  row: ImportRow,
  targets: ReadonlyMap<string, Id>,
): Promise<string | undefined> {
  const target = of.type === 'domain-blocks' ? row.key : targets.get(row.key);
  if (target === undefined) return notThere(of.type);
  if (target === of.account_id) return 'This is your own account';
  try {
    await CARRIERS[of.type](ctx, row, of, target);
    return undefined;
  } catch (error) {
    if (!isRookeryError(error) || PASSING.has(error.code)) throw error;
    return error.code === 'not_found' ? notThere(of.type) : error.message;
  }
}

const notThere = (type: ImportType): string => (type === 'bookmarks' ? NO_POST : NOBODY);

/** A retry may succeed. */
const PASSING: ReadonlySet<ErrorCode> = new Set(['unavailable', 'conflict', 'internal', 'too_many_requests']);
