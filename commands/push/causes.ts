import type { UserRegistered } from '#events/accounts.ts';
import type { CollectionItemAdded, CollectionUpdated } from '#events/collections.ts';
import type { StatusFavourited, StatusReblogged } from '#events/interactions.ts';
import type { AccountWarned } from '#events/moderation.ts';
import type { QuoteAccepted } from '#events/quotes.ts';
import type { AccountFollowed, FollowRequested } from '#events/relationships.ts';
import type { ReportFiled } from '#events/reports.ts';
import type { RelationshipsSevered } from '#events/severed-relationships.ts';
import {
  isLate,
  isLinkedLate,
  type PollClosed,
  type ReplyLinked,
  type StatusCreated,
  type StatusEdited,
} from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { secondNotificationId } from '#kernel/ids.ts';
import type { PushCause } from '#queries/push/index.ts';

/** The events that cause notifications. */
export type PushCausingEvent = RecordedOf<
  | typeof AccountFollowed
  | typeof AccountWarned
  | typeof CollectionItemAdded
  | typeof CollectionUpdated
  | typeof FollowRequested
  | typeof PollClosed
  | typeof QuoteAccepted
  | typeof RelationshipsSevered
  | typeof ReplyLinked
  | typeof ReportFiled
  | typeof StatusCreated
  | typeof StatusEdited
  | typeof StatusFavourited
  | typeof StatusReblogged
  | typeof UserRegistered
>;

/** Like `causeOf`, with the second notification of a post for followers of its author whom it mentions. */
export function causesOf(event: PushCausingEvent): PushCause[] {
  const cause = causeOf(event);
  const { about, told } = cause;
  if (event.type !== 'StatusCreated' || !told?.followers || told.account_ids.length === 0) return [cause];
  return [cause, { id: secondNotificationId(cause.id), about, told: { account_ids: [], followers: true } }];
}

/**
 * Returns the ids of the notifications of an event: `projections/notifications/` creates them with ids from
 * the event.
 */
function causeOf(event: PushCausingEvent): PushCause {
  switch (event.type) {
    case 'AccountFollowed':
    case 'FollowRequested': {
      const { id, target_account_id } = event.data;
      return {
        id,
        about: { kind: 'accounts', account_ids: [target_account_id] },
        told: { account_ids: [target_account_id], followers: false },
      };
    }
    case 'AccountWarned': {
      const { id, account_id, notified } = event.data;
      const account_ids = notified ? [account_id] : [];
      return { id, about: { kind: 'accounts', account_ids }, told: { account_ids, followers: false } };
    }
    case 'CollectionItemAdded':
    case 'RelationshipsSevered': {
      const { id, account_id } = event.data;
      const account_ids = [account_id];
      return { id, about: { kind: 'accounts', account_ids }, told: { account_ids, followers: false } };
    }
    case 'CollectionUpdated':
      return ofUpdate(event.data);
    case 'StatusFavourited':
    case 'StatusReblogged': {
      const { id, status_id, account_id, status_account_id } = event.data;
      return {
        id,
        about: { kind: 'status', status_id, from_account_id: account_id },
        told: { account_ids: [status_account_id], followers: false },
      };
    }
    case 'StatusCreated':
      return ofPost(event);
    case 'StatusEdited': {
      const { id, edit_id, account_id } = event.data;
      return { id: edit_id, about: { kind: 'status', status_id: id, from_account_id: account_id } };
    }
    case 'PollClosed': {
      const { id, close_id, account_id } = event.data;
      return { id: close_id, about: { kind: 'status', status_id: id, from_account_id: account_id } };
    }
    case 'QuoteAccepted': {
      const { id, accept_id, account_id, quoted_account_id } = event.data;
      return {
        id: accept_id,
        about: { kind: 'status', status_id: id, from_account_id: account_id },
        told: { account_ids: [quoted_account_id], followers: false },
      };
    }
    case 'ReportFiled':
      return { id: event.data.id, about: { kind: 'staff' } };
    case 'UserRegistered':
      return { id: event.data.account_id, about: { kind: 'staff' } };
    default:
      return ofLink(event);
  }
}

function ofLink(event: RecordedOf<typeof ReplyLinked>): PushCause {
  const { id, link_id, account_id, in_reply_to_account_id: to, visibility } = event.data;
  const followers = visibility !== 'direct' && to === account_id && !isLinkedLate(event);
  const about = { kind: 'status', status_id: id, from_account_id: account_id } as const;
  return { id: link_id, about, told: { account_ids: [], followers } };
}

function ofUpdate({ id, update_id }: RecordedOf<typeof CollectionUpdated>['data']): PushCause {
  const about = { kind: 'collection', collection_id: id } as const;
  // A change without an id notifies no accounts.
  if (update_id === null) return { id, about, told: { account_ids: [], followers: false } };
  return { id: update_id, about };
}

function ofPost(event: RecordedOf<typeof StatusCreated>): PushCause {
  const { id, account_id, mentions, quote, visibility } = event.data;
  const { in_reply_to_account_id: to, in_reply_to_uri: awaited } = event.data;
  const isUntold = isLate(event);
  const named = [...mentions.map((mention) => mention.id), ...(quote ? [quote.account_id] : [])];
  return {
    id,
    about: { kind: 'status', status_id: id, from_account_id: account_id },
    told: {
      account_ids: isUntold ? [] : named.filter((each) => each !== account_id),
      followers:
        !isUntold && visibility !== 'direct' && (to === account_id || (to === null && awaited === undefined)),
    },
  };
}
