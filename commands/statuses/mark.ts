import { interactionStream, type InteractionEvent } from '../../src/events/interactions.ts';
import { endpoint, type Reply } from '../../src/kernel/endpoint.ts';
import type { UserContext } from '../../src/kernel/context.ts';
import { idParams } from '../../src/kernel/input.ts';
import { MAIN } from '../../src/kernel/projection.ts';
import { statusSchema } from '../../queries/entities/schemas/index.ts';
import { statusText, touchedTarget, touchedText, visibleTarget } from '../../queries/statuses/index.ts';
import { interaction, type Interaction, type Target } from './interaction.ts';

/** Favourites and bookmarks: a mark that an account puts on a post, and takes away again. */
const markEndpoint = {
  method: 'POST',
  auth: 'user',
  params: idParams,
  reply: statusSchema,
} as const;

export const favouriteStatus = endpoint({
  ...markEndpoint,
  path: '/api/v1/statuses/:id/favourite',
  summary: 'Favourite a status',
  scopes: ['write:favourites'],
  handler: (ctx, { params }) => mark(ctx, params.id, decideFavourite),
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
  path: '/api/v1/statuses/:id/bookmark',
  summary: 'Bookmark a status',
  scopes: ['write:bookmarks'],
  handler: (ctx, { params }) => mark(ctx, params.id, decideBookmark),
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
  state.favourited ? [] : [{ type: 'StatusFavourited', data: { id, ...target } }];
export const decideUnfavourite: Decide = (state, target) =>
  state.favourited ? [{ type: 'StatusUnfavourited', data: target }] : [];
export const decideBookmark: Decide = (state, target, id) =>
  state.bookmarked ? [] : [{ type: 'StatusBookmarked', data: { id, ...target } }];
export const decideUnbookmark: Decide = (state, target) =>
  state.bookmarked ? [{ type: 'StatusUnbookmarked', data: target }] : [];

async function mark(ctx: UserContext, statusId: string, decide: Decide): Promise<Reply> {
  const { id, account_id } = await visibleTarget(ctx, statusId);
  await change(ctx, { status_id: id, status_account_id: account_id }, decide);
  return { text: await statusText(ctx, id) };
}

/** Works also when the author has blocked the reader since. */
async function unmark(ctx: UserContext, statusId: string, decide: Decide): Promise<Reply> {
  const { id, account_id } = await touchedTarget(ctx, statusId);
  await change(ctx, { status_id: id, status_account_id: account_id }, decide);
  return { text: await touchedText(ctx, id) };
}

async function change(ctx: UserContext, post: Omit<Target, 'account_id'>, decide: Decide): Promise<void> {
  const target = { account_id: ctx.viewer.account_id, ...post };
  const id = ctx.newId();
  await ctx.execute(interactionStream(target.account_id, post.status_id), interaction, (state) =>
    decide(state, target, id),
  );
  await ctx.settle([MAIN]);
}
