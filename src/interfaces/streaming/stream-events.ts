import { LRUCache } from 'lru-cache';
import { UserRegistered } from '#events/accounts.ts';
import {
  AnnouncementDeleted,
  AnnouncementPublished,
  AnnouncementReactionAdded,
  AnnouncementReactionRemoved,
  AnnouncementUnpublished,
  AnnouncementUpdated,
} from '#events/announcements.ts';
import { CollectionItemAdded, CollectionUpdated } from '#events/collections.ts';
import { type ConversationEvent, ConversationMarkedUnread, ConversationRead } from '#events/conversations.ts';
import {
  FilterCreated,
  FilterDeleted,
  FilterKeywordsEdited,
  FilterStatusAdded,
  FilterStatusRemoved,
  FilterUpdated,
} from '#events/filters.ts';
import {
  ReblogRequested,
  ReblogRequestEnded,
  StatusFavourited,
  StatusReblogged,
  StatusUnreblogged,
} from '#events/interactions.ts';
import { AccountWarned } from '#events/moderation.ts';
import { NotificationRequestAccepted } from '#events/notifications.ts';
import { QuoteAccepted, QuoteRejected, QuoteRevoked } from '#events/quotes.ts';
import { AccountBlocked, AccountFollowed, AccountMuted, FollowRequested } from '#events/relationships.ts';
import { ReportFiled } from '#events/reports.ts';
import { RelationshipsSevered } from '#events/severed-relationships.ts';
import {
  isLate,
  isLinkedLate,
  PollClosed,
  ReplyLinked,
  ReplyRequested,
  ReplyRequestEnded,
  StatusCreated,
  StatusDeleted,
  StatusEdited,
} from '#events/statuses.ts';
import type { EventDefinition, RecordedEvent, RecordedOf } from '#kernel/event.ts';
import { type Id, isId, secondNotificationId } from '#kernel/ids.ts';

export type AnnouncementEventName = 'announcement' | 'announcement.reaction' | 'announcement.delete';

/** The events for clients: https://docs.joinmastodon.org/methods/streaming/#events */
export type StreamEvent =
  /**
   * For each viewer with the status in an open timeline; `unlessTagged` leaves out timelines of hashtags,
   * which had it before.
   */
  | { about: 'status'; event: 'update' | 'status.update' | 'delete'; statusId: Id; unlessTagged?: true }
  /** Notifications with this id may exist; `to` is their recipient, if known. */
  | { about: 'notification'; id: Id; to: Id | null }
  /**
   * A direct post arrived in the conversations of its participants, or one of them (`to`) has read up to it.
   */
  | { about: 'conversation'; statusId: Id; to?: Id }
  /** A user accepted an account, so its direct posts arrived in the user's conversations. */
  | { about: 'released'; readerId: Id }
  /** A change of an announcement, for everyone; `reaction` is the name of a changed reaction. */
  | { about: 'announcement'; event: AnnouncementEventName; announcementId: Id; reaction?: string }
  /** A user muted or blocked an account, so its posts leave the user's home and lists. */
  | { about: 'cleared'; readerId: Id; targetId: Id }
  /**
   * An event of one account, for its own clients: those that receive events of the account, or its
   * notifications.
   */
  | { about: 'account' | 'notifications'; event: string; accountId: Id; payload?: string };

/** With the position of its event in the log. */
export type PositionedStreamEvent = StreamEvent & { position: bigint };

type Reading = readonly [type: string, read: (event: RecordedEvent) => StreamEvent[]];

const on = <Type extends string, Data>(
  definition: EventDefinition<Type, Data>,
  read: (data: Data, event: RecordedOf<EventDefinition<Type, Data>>) => StreamEvent[],
): Reading => [definition.type, (event) => read(event.data as Data, event as never)];

const told = (id: Id, to: Id | null = null): StreamEvent => ({ about: 'notification', id, to });
const status = (event: 'update' | 'status.update' | 'delete', statusId: Id): StreamEvent => ({
  about: 'status',
  event,
  statusId,
});
const cleared = (data: { account_id: Id; target_account_id: Id }): StreamEvent[] => [
  { about: 'cleared', readerId: data.account_id, targetId: data.target_account_id },
];
const filtersChanged = ({ account_id: accountId }: { account_id: Id }): StreamEvent[] => [
  { about: 'account', event: 'filters_changed', accountId },
];

const seen = ({ up_to_id, account_id }: ConversationEvent['data']): StreamEvent[] => [
  { about: 'conversation', statusId: up_to_id, to: account_id },
];
const announced =
  (event: AnnouncementEventName) =>
  ({ announcement_id: announcementId, name }: { announcement_id: Id; name?: string }): StreamEvent[] => [
    { about: 'announcement', event, announcementId, ...(name === undefined ? {} : { reaction: name }) },
  ];

/**
 * Maps each event of the log to events for clients. Notifications have the ids that
 * `projections/notifications` gives them.
 */
const READINGS: ReadonlyMap<string, Reading[1]> = new Map([
  on(StatusCreated, ({ id, visibility, mentions, quote }, event) =>
    isLate(event)
      ? []
      : [
          status('update', id),
          told(id),
          ...(mentions.length > 0 || quote ? [told(secondNotificationId(id))] : []),
          ...(visibility === 'direct' ? [{ about: 'conversation', statusId: id } as const] : []),
        ],
  ),
  on(ReplyLinked, ({ id, link_id }, event) =>
    isLinkedLate(event)
      ? []
      : [{ about: 'status', event: 'update', statusId: id, unlessTagged: true }, told(link_id)],
  ),
  on(StatusEdited, ({ id, edit_id }) => [status('status.update', id), told(edit_id)]),
  on(QuoteAccepted, ({ id, accept_id, quoted_account_id }) => [
    status('status.update', id),
    told(accept_id, quoted_account_id),
  ]),
  on(QuoteRejected, ({ id }) => [status('status.update', id)]),
  on(QuoteRevoked, ({ id }) => [status('status.update', id)]),
  on(StatusDeleted, ({ id }) => [status('delete', id)]),
  // Only their authors have these in their timelines.
  on(ReplyRequested, ({ id }) => [status('update', id)]),
  on(ReplyRequestEnded, ({ id }) => [status('delete', id)]),
  on(ReblogRequested, ({ id }) => [status('update', id)]),
  on(ReblogRequestEnded, ({ id }) => [status('delete', id)]),
  on(StatusReblogged, ({ id, status_account_id }) => [status('update', id), told(id, status_account_id)]),
  on(StatusUnreblogged, ({ id }) => [status('delete', id)]),
  on(StatusFavourited, ({ id, status_account_id }) => [told(id, status_account_id)]),
  on(PollClosed, ({ close_id }) => [told(close_id)]),
  on(AccountFollowed, ({ id, target_account_id }) => [told(id, target_account_id)]),
  on(FollowRequested, ({ id, target_account_id }) => [told(id, target_account_id)]),
  on(AccountMuted, cleared),
  on(AccountBlocked, cleared),
  on(ReportFiled, ({ id }) => [told(id)]),
  on(AccountWarned, ({ id, account_id, notified }) => (notified ? [told(id, account_id)] : [])),
  on(CollectionItemAdded, ({ id, account_id }) => [told(id, account_id)]),
  on(CollectionUpdated, ({ update_id }) => (update_id === null ? [] : [told(update_id)])),
  on(RelationshipsSevered, ({ id, account_id }) => [told(id, account_id)]),
  on(UserRegistered, ({ account_id }) => [told(account_id)]),
  on(NotificationRequestAccepted, ({ account_id: accountId }) => [
    { about: 'released', readerId: accountId },
    { about: 'notifications', event: 'notifications_merged', accountId, payload: '1' },
  ]),
  on(ConversationRead, seen),
  on(ConversationMarkedUnread, seen),
  on(AnnouncementPublished, announced('announcement')),
  on(AnnouncementUpdated, announced('announcement')),
  on(AnnouncementUnpublished, announced('announcement.delete')),
  on(AnnouncementDeleted, announced('announcement.delete')),
  on(AnnouncementReactionAdded, announced('announcement.reaction')),
  on(AnnouncementReactionRemoved, announced('announcement.reaction')),
  on(FilterCreated, filtersChanged),
  on(FilterUpdated, filtersChanged),
  on(FilterKeywordsEdited, filtersChanged),
  on(FilterStatusAdded, filtersChanged),
  on(FilterStatusRemoved, filtersChanged),
  on(FilterDeleted, filtersChanged),
]);

/** Returns nothing for an event that it cannot read: read models halt at it, and streams go on. */
function readingOf(event: RecordedEvent): StreamEvent[] {
  try {
    const found = READINGS.get(event.type)?.(event) ?? [];
    return event.unreadable === undefined ? found.filter(namesIds) : [];
  } catch {
    return [];
  }
}

/** The statements of one batch serve all listeners, and an id that is none would fail them. */
const namesIds = (occurrence: StreamEvent): boolean =>
  Object.entries(occurrence).every(
    ([field, value]) =>
      !/^(?:id|to|\w+Id)$/.test(field) || value == null || (typeof value === 'string' && isId(value)),
  );

/** Reads the log for clients. One request is one change of filters, however many events it stores. */
export class StreamEventReader {
  /** By account: the request that changed its filters last. */
  readonly #filters = new LRUCache<Id, string>({ max: 1_000 });

  read(events: readonly RecordedEvent[]): PositionedStreamEvent[] {
    return events.flatMap((event) => {
      return readingOf(event)
        .filter((occurrence) => this.#isNew(occurrence, event))
        .map((occurrence) => ({ ...occurrence, position: event.position }));
    });
  }

  #isNew(occurrence: StreamEvent, { metadata: { correlation_id: request } }: RecordedEvent): boolean {
    if (occurrence.about !== 'account' || occurrence.event !== 'filters_changed') return true;
    if (this.#filters.get(occurrence.accountId) === request) return false;
    this.#filters.set(occurrence.accountId, request);
    return true;
  }
}
