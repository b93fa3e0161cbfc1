import type {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
} from '#events/interactions.ts';
import type { ReplyRequested, ReplyRequestEnded } from '#events/statuses.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { namedAccounts, requestedPost } from '#queries/federation/index.ts';
import { type InteractionKind, interactionRequestDocument, requestUri } from '../documents/authorizations.ts';
import { type Document, POST_CONTEXT } from '../documents/contexts.ts';
import { activityDocument, postDocument } from '../documents/post.ts';
import { like, toAuthor, unfavourite, unreblog } from './interactions.ts';
import type { Activity, Outgoing } from './outgoing.ts';
import { deletionOf } from './posts.ts';

/*
 * Interactions of local users that a remote author must approve: they are sent to that author only. Servers
 * older than GoToSocial 0.20 get the interaction itself.
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */

/** A reply or a reblog, and the author who is asked. */
interface Asked {
  id: string;
  account_id: string;
  polite: boolean;
}

const toAsked = (kind: 'reply' | 'announce', asked: Asked, askedAccountId: string): Outgoing => ({
  sender: asked.account_id,
  statusId: asked.id,
  audience: { author: asked.account_id, accounts: [askedAccountId], personally: true },
  compose: (ctx) => composeOfPost(ctx, kind, asked, askedAccountId),
});

async function composeOfPost(
  ctx: CommandContext,
  kind: 'reply' | 'announce',
  { id, polite }: Asked,
  askedAccountId: string,
): Promise<Activity | undefined> {
  const post = await requestedPost(ctx.db, id);
  const object = kind === 'reply' ? post?.in_reply_to : post?.reblog_of;
  if (!post || object == null) return undefined;
  const activity = { actor: post.author_uri, ...activityDocument(post, ctx.instance) };
  if (!polite) return { '@context': POST_CONTEXT, ...activity };
  const instrument = kind === 'reply' ? postDocument(post, ctx.instance) : activity;
  return request(ctx, kind, { id, actor: post.author_uri, askedAccountId, object, instrument });
}

interface Requested {
  id: string;
  actor: string;
  askedAccountId: string;
  object: string;
  instrument: Document;
}

async function request(
  ctx: CommandContext,
  kind: InteractionKind,
  { id, actor, askedAccountId, object, instrument }: Requested,
): Promise<Activity | undefined> {
  const asked = (await namedAccounts(ctx.db, [askedAccountId])).get(askedAccountId);
  if (!asked) return undefined;
  const name = requestUri(actor, kind, id);
  return interactionRequestDocument(kind, { id: name, actor, to: asked.uri, object, instrument });
}

export const requestReply = (data: RecordedOf<typeof ReplyRequested>['data']): Outgoing[] =>
  data.local ? [toAsked('reply', data, data.asked_account_id)] : [];

export const requestReblog = (data: RecordedOf<typeof ReblogRequested>['data']): Outgoing[] =>
  data.local ? [toAsked('announce', data, data.status_account_id)] : [];

export const requestFavourite = (data: RecordedOf<typeof FavouriteRequested>['data']): Outgoing[] => [
  toAuthor(data, async (ctx) => {
    const liked = await like(ctx, data);
    if (!liked || !data.polite) return liked;
    const { '@context': _, ...instrument } = liked;
    const asked = { id: data.id, actor: liked.actor, askedAccountId: data.status_account_id };
    return request(ctx, 'like', { ...asked, object: String(liked['object']), instrument });
  }),
];

/** Withdraws a waiting reply; the server that rejected it knows that already. */
export const endReplyRequest = ({
  id,
  account_id,
  asked_account_id,
  reason,
}: RecordedOf<typeof ReplyRequestEnded>['data']): Outgoing[] =>
  reason === 'rejected'
    ? []
    : [
        {
          sender: account_id,
          cancels: id,
          audience: { receiversOf: id, accounts: [asked_account_id] },
          compose: (ctx) => deletionOf(ctx, id),
        },
      ];

export const endReblogRequest = (data: RecordedOf<typeof ReblogRequestEnded>['data']): Outgoing[] =>
  data.reason === 'rejected' ? [] : unreblog(data);

export const endFavouriteRequest = (data: RecordedOf<typeof FavouriteRequestEnded>['data']): Outgoing[] =>
  data.reason === 'rejected' ? [] : unfavourite(data);
