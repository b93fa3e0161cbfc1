import type {
  MentionsResolved,
  PollClosed,
  QuotePolicyChanged,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  StatusPinned,
  StatusUnpinned,
} from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { timeOfId } from '#kernel/ids.ts';
import { type LocalPost, namedPosts, postToSend } from '#queries/federation/index.ts';
import { placesOf } from '../documents/actor.ts';
import { type Document, POST_CONTEXT, PUBLIC } from '../documents/contexts.ts';
import { activityDocument, updateOfPost } from '../documents/post.ts';
import { type Activity, type Outgoing, plainActivity } from './outgoing.ts';

type Created = RecordedOf<typeof StatusCreated>['data'];
type Edited = RecordedOf<typeof StatusEdited>['data'];

/** Milliseconds. */
const DAY = 86_400_000;

const isForEverybody = (visibility: string): boolean => visibility === 'public' || visibility === 'unlisted';

/**
 * Returns the audience of a post: mentioned accounts, followers unless it is direct, and for public posts the
 * authors of the parent and the quoted post.
 */
function audienceOf(post: Created | Edited): Outgoing['audience'] {
  const { account_id: author, visibility, mentions, in_reply_to_account_id: answered, quote } = post;
  const concerned = isForEverybody(visibility) ? [answered, quote?.account_id ?? null] : [];
  return {
    author,
    followersOf: visibility === 'direct' ? null : author,
    accounts: [...mentions.map(({ id }) => id), ...concerned],
  };
}

/**
 * Seconds between the quote request and the post with the quote. If Mastodon handles both at once, it may
 * drop the request, because it has the post already and its quote not yet.
 */
const AFTER_ASKING = 2;

/** https://docs.joinmastodon.org/spec/activitypub/#supported-activities-for-statuses */
export const creation = (data: Created): Outgoing[] =>
  data.local
    ? [
        {
          sender: data.account_id,
          statusId: data.id,
          relayed: data.visibility === 'public',
          ...(data.quote?.state === 'pending' ? { after: AFTER_ASKING } : {}),
          audience: audienceOf(data),
          compose: (ctx) => ofPost(ctx, data.id, (post) => activityDocument(post, ctx.instance)),
        },
      ]
    : [];

/** Sent to accounts that became known after the local post that mentions them. */
export const mentioning = ({
  id,
  account_id: sender,
  mentions,
  content,
}: RecordedOf<typeof MentionsResolved>['data']): Outgoing[] =>
  content === undefined || mentions.length === 0
    ? []
    : [
        {
          sender,
          statusId: id,
          audience: { author: sender, accounts: mentions.map((each) => each.id) },
          compose: (ctx) => ofPost(ctx, id, (post) => activityDocument(post, ctx.instance)),
        },
      ];

/** Sent to every server that has the post, and to newly mentioned accounts. */
export const edit = (data: Edited): Outgoing[] =>
  data.local ? [update(data.id, data.account_id, data.edit_id, audienceOf(data))] : [];

/** Sends the present post to the servers that have it. `change` distinguishes this update from others. */
export const changeOf = (
  {
    id,
    account_id,
  }: Pick<RecordedOf<typeof PollClosed | typeof QuotePolicyChanged>['data'], 'id' | 'account_id'>,
  change: string,
): Outgoing[] => [update(id, account_id, change)];

/** Sends the final results, to voters as well. */
export const closing = (
  { id, account_id, poll_id }: RecordedOf<typeof PollClosed>['data'],
  change: string,
): Outgoing[] => [update(id, account_id, change, { author: account_id, votersIn: poll_id })];

/** Sends the state of a post's poll; `counted` distinguishes these counters from others. */
export const pollResults = (post: LocalPost, counted: string): Outgoing =>
  update(post.id, post.account_id, `poll-${counted}`, {
    author: post.account_id,
    ...(post.poll ? { votersIn: post.poll.poll_round } : {}),
  });

const update = (
  id: string,
  sender: string,
  change: string,
  audience: Outgoing['audience'] = { author: sender },
): Outgoing => ({
  sender,
  statusId: id,
  relayed: true,
  audience: { ...audience, receiversOf: id },
  compose: (ctx) =>
    ofPost(ctx, id, (post) => updateOfPost(post, `${post.uri}#updates/${change}`, ctx.instance)),
});

async function ofPost(
  ctx: CommandContext,
  id: string,
  make: (post: LocalPost) => Document,
): Promise<Activity | undefined> {
  const post = await postToSend(ctx.db, id);
  return post && { '@context': POST_CONTEXT, actor: post.author_uri, ...make(post) };
}

/**
 * Sent to the servers that got the post; when that is no longer known, to those that would get it now.
 * https://www.w3.org/TR/activitypub/#delete-activity-outbox
 */
export function deletion(
  { id, account_id, visibility }: RecordedOf<typeof StatusDeleted>['data'],
  { now, receiptDays }: { now: string; receiptDays: number },
): Outgoing[] {
  const isForgotten = timeOfId(id) < Date.parse(now) - receiptDays * DAY;
  return [
    {
      sender: account_id,
      cancels: id,
      relayed: visibility === 'public',
      audience: {
        receiversOf: id,
        ...(isForgotten ? { mentionedIn: id, followersOf: visibility === 'direct' ? null : account_id } : {}),
      },
      compose: (ctx) => deletionOf(ctx, id),
    },
  ];
}

/** Queues the deletion of a local user's post. */
export async function deletionOf(ctx: CommandContext, id: string): Promise<Activity | undefined> {
  const [post] = await namedPosts(ctx.db, [id]);
  if (post?.local !== true) return undefined;
  return {
    '@context': POST_CONTEXT,
    id: `${post.uri}#delete`,
    type: 'Delete',
    actor: post.author_uri,
    to: [PUBLIC],
    object: { id: post.uri, type: 'Tombstone' },
  };
}

export const pin = ({ id, account_id, pin_id }: RecordedOf<typeof StatusPinned>['data']): Outgoing[] => [
  featuring('Add', id, account_id, pin_id),
];
export const unpin = (
  { id, account_id }: RecordedOf<typeof StatusUnpinned>['data'],
  change: string,
): Outgoing[] => [featuring('Remove', id, account_id, change)];

/** Adds to or removes from the collection of pinned posts, which contains public posts. */
const featuring = (type: 'Add' | 'Remove', id: string, sender: string, change: string): Outgoing => ({
  sender,
  audience: { author: sender, followersOf: sender },
  compose: async (ctx) => {
    const [post] = await namedPosts(ctx.db, [id]);
    if (post?.local !== true || !isForEverybody(post.visibility)) return undefined;
    const { author_uri: actor, uri: object } = post;
    const places = placesOf(actor);
    const activity = { type, actor, to: [PUBLIC], cc: [places.followers], object, target: places.featured };
    return plainActivity({ id: `${actor}#pins/${change}`, ...activity });
  },
});
