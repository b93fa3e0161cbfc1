import { type InteractionEvent, interactionStream } from '#events/interactions.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { statusSchema } from '#mastodon/schemas/index.ts';
import {
  ofShownStatus,
  statusText,
  targetOpenToViewer,
  type TargetStatus,
  targetViewerInteractedWith,
  targetVisibleTo,
  touchedText,
  visibleTarget,
} from '#queries/statuses/index.ts';
import { requireApproval } from './approval.ts';
import { type Interaction, interaction, type Target } from './interaction.ts';
import { decideEndFavouriteRequest, decideRequestFavourite } from './requests.ts';

/** Favourites and bookmarks: marks that an account puts on a post, and removes again. */
const markEndpoint = { method: 'POST', auth: 'user', params: idParams, reply: statusSchema } as const;

export const favouriteStatus = endpoint({
  ...markEndpoint,
  ...ofShownStatus,
  path: '/api/v1/statuses/:id/favourite',
  summary: 'Favourite a status',
  scopes: ['write:favourites'],
  handler: async (ctx, { params }) => {
    const target = await targetOpenToViewer(ctx, params.id);
    const { isNeeded, polite } = await requireApproval(ctx, target, 'like');
    const request: Decide = (state, of, id) => decideRequestFavourite(state, of, { id, polite });
    return mark(ctx, target, isNeeded ? request : decideFavourite);
  },
});

export const unfavouriteStatus = endpoint({
  ...markEndpoint,
  path: '/api/v1/statuses/:id/unfavourite',
  summary: 'Undo a favourite',
  scopes: ['write:favourites'],
  handler: (ctx, { params }) => unmark(ctx, params.id, decideUnfavourite),
});

export const bookmarkStatus = endpoint({
  ...markEndpoint,
  ...ofShownStatus,
  path: '/api/v1/statuses/:id/bookmark',
  summary: 'Bookmark a status',
  scopes: ['write:bookmarks'],
  handler: async (ctx, { params }) => mark(ctx, await visibleTarget(ctx, params.id), decideBookmark),
});

export const unbookmarkStatus = endpoint({
  ...markEndpoint,
  path: '/api/v1/statuses/:id/unbookmark',
  summary: 'Undo a bookmark',
  scopes: ['write:bookmarks'],
  handler: (ctx, { params }) => unmark(ctx, params.id, decideUnbookmark),
});

type Decide = (state: Interaction, target: Target, id: string) => InteractionEvent[];

export const decideFavourite: Decide = (state, target, id) =>
  state.favourited !== null || state.requested.favourite !== undefined
    ? []
    : [{ type: 'StatusFavourited', data: { id, ...target } }];
/** Undoes the favourite, or the request for one. */
export const decideUnfavourite: Decide = (state, target) =>
  state.favourited === null
    ? decideEndFavouriteRequest(state, target, 'withdrawn')
    : [{ type: 'StatusUnfavourited', data: { ...target, id: state.favourited } }];
export const decideBookmark: Decide = (state, target, id) =>
  state.bookmarked ? [] : [{ type: 'StatusBookmarked', data: { id, ...target } }];
export const decideUnbookmark: Decide = (state, target) =>
  state.bookmarked ? [{ type: 'StatusUnbookmarked', data: target }] : [];

async function mark(ctx: UserContext, { id, account_id }: TargetStatus, decide: Decide): Promise<Reply> {
  await change(ctx, targetOf(ctx, id, account_id), decide);
  return { text: await statusText(ctx, id) };
}

/** Also works when the author has blocked the reader since. */
async function unmark(ctx: UserContext, statusId: string, decide: Decide): Promise<Reply> {
  const { id, account_id } = await targetViewerInteractedWith(ctx, statusId);
  await change(ctx, targetOf(ctx, id, account_id), decide);
  return { text: await touchedText(ctx, id) };
}

/**
 * Bookmarks a post in the name of a local account. @throws RookeryError `not_found` for a post that it may
 * not see
 */
export async function bookmarkAs(ctx: CommandContext, accountId: Id, statusId: Id): Promise<void> {
  const { id, account_id } = await targetVisibleTo(ctx, accountId, statusId);
  const target = { account_id: accountId, status_id: id, status_account_id: account_id };
  await change(ctx, target, decideBookmark);
}

/** Removes a bookmark in the name of a local account, even of a post that it may no longer see. */
export const unbookmarkAs = (ctx: CommandContext, target: Target): Promise<void> =>
  change(ctx, target, decideUnbookmark);

const targetOf = (ctx: UserContext, status_id: Id, status_account_id: Id): Target => ({
  account_id: ctx.viewer.account_id,
  status_id,
  status_account_id,
});

async function change(ctx: CommandContext, target: Target, decide: Decide): Promise<void> {
  const id = ctx.newId();
  await ctx.execute(interactionStream(target.account_id, target.status_id), interaction, (state) =>
    decide(state, target, id),
  );
}
