import { hash } from 'node:crypto';
import { AccountCreated, AccountSuspended, AccountUnsuspended, AccountUpdated } from '#events/accounts.ts';
import {
  CollectionCreated,
  CollectionDeleted,
  CollectionItemAccepted,
  CollectionItemAdded,
  CollectionItemRemoved,
  CollectionItemRevoked,
  CollectionUpdated,
} from '#events/collections.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { AccountKeysRotated } from '#events/federation.ts';
import {
  FavouriteRequested,
  FavouriteRequestEnded,
  ReblogRequested,
  ReblogRequestEnded,
  StatusFavourited,
  StatusReblogged,
  StatusUnfavourited,
  StatusUnreblogged,
} from '#events/interactions.ts';
import { AccountAliasAdded, AccountAliasRemoved, AccountMoveCancelled, AccountMoved } from '#events/moves.ts';
import { VoteCast } from '#events/polls.ts';
import { QuoteAccepted, QuoteRevoked } from '#events/quotes.ts';
import {
  AccountBlocked,
  AccountFollowed,
  AccountUnblocked,
  AccountUnfollowed,
  FollowRequestAuthorized,
  FollowRequested,
  FollowRequestRejected,
  FollowRequestWithdrawn,
  FollowSettingsChanged,
} from '#events/relationships.ts';
import { RelayDisabled, RelayEnabled } from '#events/relays.ts';
import { ReportFiled } from '#events/reports.ts';
import {
  MentionsResolved,
  PollClosed,
  QuotePolicyChanged,
  ReplyRequested,
  ReplyRequestEnded,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  StatusPinned,
  statusStream,
  StatusUnpinned,
} from '#events/statuses.ts';
import { TagFeatured, TagUnfeatured } from '#events/tags.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { EventMetadata, RecordedOf } from '#kernel/event.ts';
import type { Services } from '#kernel/services.ts';
import { postToSend } from '#queries/federation/index.ts';
import { actorDeletion, actorUpdate, featuredTag, keyRotation, move, report } from './actors.ts';
import {
  collectionAdded,
  collectionRemoved,
  collectionUpdated,
  itemAccepted,
  itemAdded,
  itemRemoved,
  itemRevoked,
} from './featured-collections.ts';
import {
  acceptance,
  acceptanceAgain,
  block,
  follow,
  followRequest,
  rejection,
  unblock,
  unfollow,
  withdrawal,
} from './follows.ts';
import {
  endFavouriteRequest,
  endReblogRequest,
  endReplyRequest,
  requestFavourite,
  requestReblog,
  requestReply,
} from './interaction-requests.ts';
import { favourite, reblog, unfavourite, unreblog, vote } from './interactions.ts';
import type { Outgoing } from './outgoing.ts';
import { changeOf, closing, creation, deletion, edit, mentioning, pin, pollResults, unpin } from './posts.ts';
import { askForQuoteLater } from './quote-request-job.ts';
import { approval, request, revocation } from './quotes.ts';
import { subscription, unsubscription } from './relays.ts';
import { send } from './send.ts';

export type { Outgoing } from './outgoing.ts';
export { followAgain } from './follow-again.ts';
export { askForQuoteAgain, QUOTE_REQUEST_JOB } from './quote-request-job.ts';

/** The events that other servers receive, and those of the accounts and relays that receive them. */
export const FEDERATED_EVENTS = [
  AccountAliasAdded,
  AccountAliasRemoved,
  AccountBlocked,
  AccountCreated,
  AccountFollowed,
  AccountKeysRotated,
  AccountMoveCancelled,
  AccountMoved,
  AccountSuspended,
  AccountUnblocked,
  AccountUnfollowed,
  AccountUnsuspended,
  AccountUpdated,
  CollectionCreated,
  CollectionDeleted,
  CollectionItemAccepted,
  CollectionItemAdded,
  CollectionItemRemoved,
  CollectionItemRevoked,
  CollectionUpdated,
  FavouriteRequested,
  FavouriteRequestEnded,
  FollowRequestAuthorized,
  FollowRequestRejected,
  FollowRequestWithdrawn,
  FollowRequested,
  FollowSettingsChanged,
  MentionsResolved,
  PersonalDataErased,
  PollClosed,
  QuoteAccepted,
  QuotePolicyChanged,
  QuoteRevoked,
  ReblogRequested,
  ReblogRequestEnded,
  RelayDisabled,
  RelayEnabled,
  ReplyRequested,
  ReplyRequestEnded,
  ReportFiled,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
  StatusFavourited,
  StatusPinned,
  StatusReblogged,
  StatusUnfavourited,
  StatusUnpinned,
  StatusUnreblogged,
  TagFeatured,
  TagUnfeatured,
  VoteCast,
] as const;
type FederatedEvent = RecordedOf<(typeof FEDERATED_EVENTS)[number]>;

/**
 * Returns true if the event shows that no other server receives it. Called in the order of the log, so once a
 * remote account is known, no later event is skipped.
 */
export function hasNoRemoteAudience(
  event: FederatedEvent,
  { deliveries }: Pick<Services, 'deliveries'>,
): boolean {
  if (event.type === 'AccountCreated') {
    if (event.data.domain !== null) deliveries.somebody();
    return true;
  }
  if (event.type === 'RelayEnabled') deliveries.somebody();
  if (deliveries.none) return true;
  if ('local' in event.data) return !event.data.local;
  if (event.type === 'MentionsResolved') return event.data.content === undefined;
  if (event.type === 'FollowSettingsChanged') return event.data.uri === undefined;
  // A server knows its own actions.
  const isOfOthers = event.type === 'AccountUnfollowed' || event.type === 'AccountUpdated';
  return isOfOthers && isRemoteAct(event.metadata);
}

/**
 * Returns true for an event that an activity of another server caused: it names the server, or is written in
 * the name of federation.
 */
const isRemoteAct = ({ remote, rule }: EventMetadata): boolean =>
  remote !== undefined || rule?.startsWith('federation') === true;

/** Queues the activities of an event for other servers. A repeat of the event queues nothing twice. */
export async function federateEvent(
  ctx: CommandContext,
  event: FederatedEvent,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  // The delivery service finds the recipients in the read models.
  await ctx.waitForReadModels();
  const { receiptDays } = ctx.services.deliveries;
  // In their order: each needs a statement or two, and there are few.
  for (const [index, outgoing] of outgoingOf(event, receiptDays).entries()) {
    signal.throwIfAborted();
    await send(ctx, outgoing, { key: `${event.id}/${index}`, subject: event.stream });
  }
  if (event.type === 'StatusCreated') await askForQuoteLater(ctx, event.data);
}

/**
 * Queues the results of a local poll, once for each state of its counters. The end of a poll has an activity
 * of its own.
 */
export async function federatePollResults(ctx: CommandContext, statusId: string): Promise<void> {
  const post = await postToSend(ctx.db, statusId);
  if (!post?.poll || post.poll.poll_expired === true) return;
  const { poll_round: id, poll_voters_count: voters, poll_tallies: tallies } = post.poll;
  const counted = hash('sha256', JSON.stringify([id, voters, tallies])).slice(0, 32);
  await send(ctx, pollResults(post, counted), {
    key: `poll-results/${counted}`,
    subject: statusStream(statusId),
  });
}

type ActivitiesOf<Type> = (event: Extract<FederatedEvent, { type: Type }>, receiptDays: number) => Outgoing[];

/** The possible activities of each event, from its data only. Pure. */
const ACTIVITIES_BY_EVENT: { [Type in FederatedEvent['type']]: ActivitiesOf<Type> } = {
  AccountCreated: () => [],
  AccountUpdated: ({ data, id }) => actorUpdate(data.id, id),
  AccountSuspended: ({ data, id }) => actorUpdate(data.account_id, id),
  AccountUnsuspended: ({ data, id }) => actorUpdate(data.account_id, id),
  AccountMoveCancelled: ({ data, id }) => actorUpdate(data.account_id, id),
  AccountAliasAdded: ({ data, id }) => actorUpdate(data.account_id, id),
  AccountAliasRemoved: ({ data, id }) => actorUpdate(data.account_id, id),
  AccountMoved: ({ data, id }) =>
    data.with_followers
      ? move(data.account_id, data.target_account_id, id)
      : actorUpdate(data.account_id, id),
  AccountKeysRotated: ({ data, id }) => keyRotation(data, id),
  CollectionCreated: ({ data, id }) => collectionAdded(data, id),
  CollectionUpdated: ({ data, id }) => collectionUpdated(data, id),
  CollectionDeleted: ({ data, id }) => collectionRemoved(data, id),
  CollectionItemAdded: ({ data, id }) => itemAdded(data, id),
  CollectionItemAccepted: ({ data, id }) => itemAccepted(data, id),
  CollectionItemRemoved: ({ data, id }) => itemRemoved(data, id),
  CollectionItemRevoked: ({ data, id }) => itemRevoked(data, id),
  FollowRequested: ({ data }) => followRequest(data),
  AccountFollowed: ({ data, id }) => follow(data, id),
  FollowRequestAuthorized: ({ data, id }) => acceptance(data, id),
  FollowRequestRejected: ({ data, id }) => rejection(data, id),
  FollowSettingsChanged: ({ data, id }) => acceptanceAgain(data, id),
  FollowRequestWithdrawn: ({ data }) => withdrawal(data),
  AccountUnfollowed: ({ data, id }) => unfollow(data, id),
  AccountBlocked: ({ data }) => block(data),
  AccountUnblocked: ({ data }) => unblock(data),
  // Not earlier: until then, pending deliveries in the account's name are deleted.
  PersonalDataErased: ({ data }) => actorDeletion(data.account_id),
  ReplyRequested: ({ data }) => requestReply(data),
  ReplyRequestEnded: ({ data }) => endReplyRequest(data),
  ReblogRequested: ({ data }) => requestReblog(data),
  ReblogRequestEnded: ({ data }) => endReblogRequest(data),
  FavouriteRequested: ({ data }) => requestFavourite(data),
  FavouriteRequestEnded: ({ data }) => endFavouriteRequest(data),
  StatusCreated: ({ data }) => [...request(data), ...creation(data)],
  StatusEdited: ({ data }) => edit(data),
  MentionsResolved: ({ data }) => mentioning(data),
  StatusDeleted: ({ data, metadata }, receiptDays) => deletion(data, { now: metadata.time, receiptDays }),
  StatusPinned: ({ data }) => pin(data),
  StatusUnpinned: ({ data, id }) => unpin(data, id),
  PollClosed: ({ data, id }) => closing(data, id),
  QuoteAccepted: ({ data, id }) => approval(data, id),
  QuotePolicyChanged: ({ data, id }) => changeOf(data, id),
  QuoteRevoked: ({ data, id }) => revocation(data, id),
  StatusReblogged: ({ data }) => reblog(data),
  StatusUnreblogged: ({ data }) => unreblog(data),
  StatusFavourited: ({ data }) => favourite(data),
  StatusUnfavourited: ({ data }) => unfavourite(data),
  TagFeatured: ({ data, id }) => featuredTag('Add', data, id),
  TagUnfeatured: ({ data, id }) => featuredTag('Remove', data, id),
  VoteCast: ({ data }) => vote(data),
  ReportFiled: ({ data }) => report(data),
  RelayEnabled: ({ data }) => subscription(data),
  RelayDisabled: ({ data }) => unsubscription(data),
};
const outgoingOf = (event: FederatedEvent, receiptDays: number): Outgoing[] =>
  (ACTIVITIES_BY_EVENT[event.type] as ActivitiesOf<FederatedEvent['type']>)(event, receiptDays);
