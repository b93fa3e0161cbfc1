import type { StatusReblogged, StatusUnfavourited, StatusUnreblogged } from '#events/interactions.ts';
import type { VoteCast } from '#events/polls.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { type LocalPost, namedPosts, pollOptions, postToSend } from '#queries/federation/index.ts';
import { ACTIVITY_STREAMS, POST_CONTEXT, PUBLIC } from '../documents/contexts.ts';
import { activityDocument, authorizedBy, postDocument } from '../documents/post.ts';
import { actingPair, type Activity, type Outgoing, plainActivity, undo } from './outgoing.ts';

/** To followers and to the author, as in Mastodon. */
export const reblog = (data: RecordedOf<typeof StatusReblogged>['data']): Outgoing[] =>
  data.local
    ? [
        {
          sender: data.account_id,
          statusId: data.id,
          relayed: data.visibility === 'public',
          audience: {
            author: data.account_id,
            followersOf: data.visibility === 'direct' ? null : data.account_id,
            accounts: [data.status_account_id],
          },
          compose: async (ctx) => {
            const post = await postToSend(ctx.db, data.id);
            const original = post?.visibility === 'private' ? await ownOriginal(ctx, data) : undefined;
            if (!post) return undefined;
            const activity = activityDocument(post, ctx.instance);
            const embedded = original && { object: postDocument(original, ctx.instance) };
            return { '@context': POST_CONTEXT, actor: post.author_uri, ...activity, ...embedded };
          },
        },
      ]
    : [];

/**
 * Returns the original of a reblog of the author's own post: a followers-only post is sent as a whole, as in
 * Mastodon, because few servers may fetch it.
 */
const ownOriginal = async (
  { db }: CommandContext,
  { account_id, status_id, status_account_id }: RecordedOf<typeof StatusReblogged>['data'],
): Promise<LocalPost | undefined> =>
  status_account_id === account_id ? postToSend(db, status_id) : undefined;

/**
 * To the servers that got the reblog, and to the author, whose server may count it for longer than this
 * server remembers.
 */
export const unreblog = ({
  id,
  account_id,
  status_id,
  status_account_id,
}: Pick<
  RecordedOf<typeof StatusUnreblogged>['data'],
  'id' | 'account_id' | 'status_id' | 'status_account_id'
>): Outgoing[] => [
  {
    sender: account_id,
    cancels: id,
    audience: { receiversOf: id, accounts: [status_account_id] },
    compose: async (ctx) => {
      const posts = await namedPosts(ctx.db, [status_id, id]);
      const reblogged = posts.find((post) => post.id === status_id);
      const announced = posts.find((post) => post.id === id);
      if (!reblogged || announced?.local !== true) return undefined;
      const { uri, author_uri: actor } = announced;
      const object = reblogged.uri;
      return undo(plainActivity({ id: uri, type: 'Announce', actor, to: [PUBLIC], object }));
    },
  },
];

type Favourite = Pick<
  RecordedOf<typeof StatusUnfavourited>['data'],
  'id' | 'account_id' | 'status_id' | 'status_account_id'
>;

type Liked = Favourite & { authorization?: string | undefined };

export const favourite = (data: Liked): Outgoing[] => [toAuthor(data, (ctx) => like(ctx, data))];
export const unfavourite = (data: Favourite): Outgoing[] => [
  toAuthor(data, async (ctx) => {
    const liked = await like(ctx, data);
    return liked && undo(liked);
  }),
];

export const toAuthor = (
  { account_id, status_account_id }: Favourite,
  compose: Outgoing['compose'],
): Outgoing => ({
  sender: account_id,
  compose,
  audience: { accounts: [status_account_id], personally: true },
});

/** https://docs.joinmastodon.org/spec/activitypub/#supported-activities-for-statuses */
export async function like(
  ctx: CommandContext,
  { id, account_id, status_id, status_account_id, authorization }: Liked,
): Promise<Activity | undefined> {
  const [pair, [post]] = await Promise.all([
    actingPair(ctx, account_id, status_account_id),
    namedPosts(ctx.db, [status_id]),
  ]);
  if (!pair || !post) return undefined;
  const { uri: actor } = pair.sender;
  // Many servers ignore an activity with a known id: the next one needs another.
  const activity = { id: `${actor}#likes/${id ?? status_id}`, type: 'Like', actor, object: post.uri };
  return authorization === undefined
    ? plainActivity(activity)
    : { '@context': POST_CONTEXT, ...activity, ...authorizedBy('likeAuthorization', authorization) };
}

/**
 * Each choice is a note with the title of the option, for the author only:
 * https://docs.joinmastodon.org/spec/activitypub/#Question
 */
export const vote = ({
  id,
  poll_id,
  status_id,
  account_id,
  choices,
}: RecordedOf<typeof VoteCast>['data']): Outgoing[] =>
  choices.map((choice) => ({
    sender: account_id,
    audience: { authorOf: status_id, personally: true },
    compose: async (ctx) => {
      const [[post], options] = await Promise.all([
        namedPosts(ctx.db, [status_id]),
        pollOptions(ctx.db, poll_id),
      ]);
      const name = options[choice];
      const pair = post && (await actingPair(ctx, account_id, post.account_id));
      if (!pair || name === undefined) return undefined;
      const { uri: actor } = pair.sender;
      const ballot = `${actor}#votes/${id}/${choice}`;
      return {
        '@context': ACTIVITY_STREAMS,
        id: `${ballot}/activity`,
        type: 'Create',
        actor,
        to: post.author_uri,
        object: {
          id: ballot,
          type: 'Note',
          name,
          attributedTo: actor,
          to: post.author_uri,
          inReplyTo: post.uri,
        },
      };
    },
  }));
