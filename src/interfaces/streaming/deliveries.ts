import type { UserContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { bytesOf, type JsonPieces } from '#kernel/json-pieces.ts';
import type { Db } from '#kernel/read.ts';
import { announcementReactionText, announcementText } from '#queries/announcements/index.ts';
import {
  type ArrivedConversation,
  arrivedConversations,
  arrivedConversationText,
  releasedConversations,
} from '#queries/conversations/index.ts';
import { type Arrived, arrivedNotifications, arrivedText } from '#queries/notifications/index.ts';
import { findStatuses } from '#queries/statuses/index.ts';
import { appearances, clearedPosts } from '#queries/timelines/index.ts';
import type { Channel } from './channels.ts';
import type { PositionedStreamEvent } from './stream-events.ts';

/** A subscriber of a channel. */
export interface Subscriber {
  ctx: UserContext;
  channel: Channel;
}

/** A message for a subscriber, before it is rendered. */
export interface Delivery<H extends Subscriber> {
  hearer: H;
  event: string;
  position: bigint;
  /** Undefined for a message without a payload. */
  payload: (() => Promise<JsonPieces | string | undefined>) | undefined;
}

type Of<About extends PositionedStreamEvent['about']> = Extract<PositionedStreamEvent, { about: About }>;

/**
 * Returns the events for each subscriber, in the order of the log. The rules are those of the timelines and
 * lists, evaluated once for all subscribers and events, in some six statements.
 */
export async function deliveriesFor<H extends Subscriber>(
  db: Db,
  happened: readonly PositionedStreamEvent[],
  hearers: readonly H[],
): Promise<Delivery<H>[]> {
  const notified = of(happened, 'notification');
  const conversations = of(happened, 'conversation');
  const released = of(happened, 'released');
  const cleared = of(happened, 'cleared');
  const looked = await Promise.all([
    ofStatuses(db, of(happened, 'status'), hearers),
    ofNotifications(db, notified, hearers),
    ofConversations(db, conversations, hearers),
    ofReleased(db, released, hearers),
    ofCleared(db, cleared, hearers),
  ]);
  const found = [
    ...looked.flat(),
    ...ofAnnouncements(of(happened, 'announcement'), hearers),
    ...ofAccounts(
      of(happened, 'account'),
      by(hearers, ({ account }) => account),
    ),
    ...ofAccounts(
      of(happened, 'notifications'),
      by(hearers, ({ notifications }) => notifications),
    ),
  ];
  return found.sort((a, b) => (a.position < b.position ? -1 : a.position > b.position ? 1 : 0));
}

/**
 * Renders messages as the REST API renders them for each viewer; lookups of the same moment share statements.
 * Undefined when nothing is left to show.
 */
export async function render<H extends Subscriber>(
  deliveries: readonly Delivery<H>[],
): Promise<({ payload: string | undefined } | undefined)[]> {
  return Promise.all(
    deliveries.map(async ({ payload }) => {
      if (!payload) return { payload };
      const text = await payload();
      if (text === undefined) return undefined;
      return { payload: typeof text === 'string' ? text : bytesOf(text).toString() };
    }),
  );
}

async function ofStatuses<H extends Subscriber>(
  db: Db,
  happened: readonly Of<'status'>[],
  hearers: readonly H[],
): Promise<Delivery<H>[]> {
  const open = hearers.flatMap((hearer) => {
    const { timeline } = hearer.channel;
    return timeline ? [{ hearer, timeline }] : [];
  });
  if (open.length === 0) return [];
  const found = await appearances(
    db,
    happened.map(({ statusId: id, event }) => ({ id, gone: event === 'delete' })),
    open.map(({ timeline }) => timeline),
  );
  return found.flatMap(({ timeline, status, statusId }) => {
    const what = happened[status];
    const hearer = open[timeline]?.hearer;
    if (!what || !hearer) return [];
    if (what.unlessTagged && open[timeline]?.timeline.timeline === 'tag') return [];
    const payload =
      what.event === 'delete'
        ? () => Promise.resolve(statusId)
        : async () => (await findStatuses(hearer.ctx, [statusId]))[0];
    return [{ hearer, event: what.event, position: what.position, payload }];
  });
}

/** As in Mastodon, clients remove the posts of an account when their user mutes or blocks it. */
async function ofCleared<H extends Subscriber>(
  db: Db,
  happened: readonly Of<'cleared'>[],
  hearers: readonly H[],
): Promise<Delivery<H>[]> {
  if (happened.length === 0) return [];
  const readers = by(hearers, ({ timeline }) => ['home', 'list'].includes(timeline?.timeline ?? ''));
  const found = await Promise.all(
    happened.map(async ({ readerId, targetId, position }) => {
      const listening = readers.get(readerId);
      if (!listening) return [];
      const ids = await clearedPosts(db, readerId, targetId);
      const messages = ids.map((id) => ({ event: 'delete', position, payload: () => Promise.resolve(id) }));
      return listening.flatMap((hearer) => messages.map((message) => ({ hearer, ...message })));
    }),
  );
  return found.flat();
}

async function ofNotifications<H extends Subscriber>(
  db: Db,
  happened: readonly Of<'notification'>[],
  hearers: readonly H[],
): Promise<Delivery<H>[]> {
  const listening = by(hearers, ({ notifications }) => notifications);
  if (happened.length === 0 || listening.size === 0) return [];
  const positions = new Map(happened.map(({ id, position }) => [id, position]));
  const arrived = await arrivedNotifications(db, happened, [...listening.keys()]);
  return arrived.flatMap((row: Arrived) => {
    const position = positions.get(row.id);
    if (position === undefined) return [];
    return (listening.get(row.reader_id) ?? []).map((hearer) => ({
      hearer,
      event: 'notification',
      position,
      payload: () => arrivedText(hearer.ctx, row),
    }));
  });
}

async function ofConversations<H extends Subscriber>(
  db: Db,
  happened: readonly Of<'conversation'>[],
  hearers: readonly H[],
): Promise<Delivery<H>[]> {
  const listening = by(hearers, ({ conversations }) => conversations);
  if (happened.length === 0 || listening.size === 0) return [];
  const statusIds = [...new Set(happened.map(({ statusId }) => statusId))];
  const arrived = await arrivedConversations(db, statusIds, [...listening.keys()]);
  return happened.flatMap(({ statusId, to, position }) => {
    const concerns = ({ message_id, reader_id }: ArrivedConversation): boolean =>
      message_id === statusId && (to === undefined || reader_id === to);
    return arrived.filter(concerns).flatMap((row) => toReader(listening, row, position));
  });
}

async function ofReleased<H extends Subscriber>(
  db: Db,
  happened: readonly Of<'released'>[],
  hearers: readonly H[],
): Promise<Delivery<H>[]> {
  const listening = by(hearers, ({ conversations }) => conversations);
  const heard = happened.filter(({ readerId }) => listening.has(readerId));
  if (heard.length === 0) return [];
  const released = await releasedConversations(db, heard);
  return released.flatMap((row) => toReader(listening, row, row.position));
}

/** Makes the message about a conversation for each subscribed device of its participant. */
const toReader = <H extends Subscriber>(
  listening: ReadonlyMap<Id, readonly H[]>,
  row: ArrivedConversation,
  position: bigint,
): Delivery<H>[] =>
  (listening.get(row.reader_id) ?? []).map((hearer) => ({
    hearer,
    event: 'conversation',
    position,
    payload: () => arrivedConversationText(hearer.ctx, row),
  }));

/** The same for everyone, so each is rendered once. */
function ofAnnouncements<H extends Subscriber>(
  happened: readonly Of<'announcement'>[],
  hearers: readonly H[],
): Delivery<H>[] {
  const everybody = hearers.filter(({ channel }) => channel.account);
  return happened.flatMap((news) => {
    let text: Promise<string | undefined> | undefined;
    return everybody.map((hearer) => ({
      hearer,
      event: news.event,
      position: news.position,
      payload: () => (text ??= announcementNews(hearer.ctx, news)),
    }));
  });
}

async function announcementNews(
  { db, instance }: UserContext,
  { event, announcementId, reaction }: Of<'announcement'>,
): Promise<string | undefined> {
  if (event === 'announcement.delete') return announcementId;
  if (reaction === undefined) return announcementText(db, instance, announcementId);
  return announcementReactionText(db, instance, { announcementId, name: reaction });
}

function ofAccounts<H extends Subscriber>(
  happened: readonly Of<'account' | 'notifications'>[],
  listening: ReadonlyMap<Id, readonly H[]>,
): Delivery<H>[] {
  return happened.flatMap(({ accountId, event, position, payload }) =>
    (listening.get(accountId) ?? []).map((hearer) => ({
      hearer,
      event,
      position,
      payload: payload === undefined ? undefined : () => Promise.resolve(payload),
    })),
  );
}

const of = <About extends PositionedStreamEvent['about']>(
  happened: readonly PositionedStreamEvent[],
  about: About,
): Of<About>[] => happened.filter((each): each is Of<About> => each.about === about);

/** Returns the subscribers of some channels by account. */
function by<H extends Subscriber>(hearers: readonly H[], hears: (channel: Channel) => boolean): Map<Id, H[]> {
  const found = new Map<Id, H[]>();
  for (const hearer of hearers) {
    if (!hears(hearer.channel)) continue;
    const { account_id } = hearer.ctx.viewer;
    const known = found.get(account_id);
    if (known) known.push(hearer);
    else found.set(account_id, [hearer]);
  }
  return found;
}
