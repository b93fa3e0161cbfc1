import type { AnnouncementContent, AnnouncementEvent } from '#events/announcements.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import type { Decider } from '#kernel/decider.ts';
import { invalid, RookeryError } from '#kernel/errors.ts';

export interface Existing {
  state: 'exists';
  id: string;
  content: AnnouncementContent;
  published: boolean;
}
/** Stream `announcement-<id>`. */
export type Announcement = { state: 'none' | 'deleted' } | Existing;

export const announcement: Decider<Announcement, AnnouncementEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'AnnouncementCreated') {
      const { announcement_id, created_at: _, ...content } = event.data;
      return { state: 'exists', id: announcement_id, content, published: false };
    }
    if (state.state !== 'exists') return state;
    switch (event.type) {
      case 'AnnouncementUpdated': {
        const { announcement_id: _id, updated_at: _at, ...changes } = event.data;
        return { ...state, content: { ...state.content, ...changes } as AnnouncementContent };
      }
      case 'AnnouncementPublished':
        return { ...state, published: true, content: { ...state.content, scheduled_at: null } };
      case 'AnnouncementUnpublished':
        return { ...state, published: false };
      case 'AnnouncementDeleted':
        return { state: 'deleted' };
    }
  },
};

/** Pure. @throws RookeryError `invalid` */
export function decideCreate(
  state: Announcement,
  { id, content, now, publish }: { id: string; content: AnnouncementContent; now: string; publish: boolean },
): AnnouncementEvent[] {
  if (state.state !== 'none') throw new RookeryError('conflict', 'There is such an announcement already');
  const created: AnnouncementEvent = {
    type: 'AnnouncementCreated',
    data: { announcement_id: id, ...checked(content, now), created_at: now },
  };
  if (!publish) return [created];
  return [created, ...decidePublish(announcement.evolve(state, created), now)];
}

/** Decides only differences. Pure. @throws RookeryError `not_found`, `invalid` */
export function decideUpdate(
  state: Announcement,
  changes: Partial<AnnouncementContent>,
  now: string,
): AnnouncementEvent[] {
  const { id, content, published } = existing(state);
  if (published && changes.scheduled_at)
    throw invalid('It is published already: there is nothing to schedule');
  const changed = changedFields(content, checked({ ...content, ...changes }, now, content));
  if (!changed) return [];
  return [{ type: 'AnnouncementUpdated', data: { announcement_id: id, ...changed, updated_at: now } }];
}

/**
 * Decides nothing when it is published already. Pure. @throws RookeryError `not_found`, `invalid` when it has
 * ended
 */
export function decidePublish(state: Announcement, now: string): AnnouncementEvent[] {
  const { id, content, published } = existing(state);
  if (published) return [];
  if (content.ends_at !== null && content.ends_at <= now)
    throw invalid('It is over: change when it ends first');
  return [{ type: 'AnnouncementPublished', data: { announcement_id: id, published_at: now } }];
}

/** Decides nothing when it is not published. Pure. @throws RookeryError `not_found` */
export function decideUnpublish(state: Announcement): AnnouncementEvent[] {
  const { id, published } = existing(state);
  return published ? [{ type: 'AnnouncementUnpublished', data: { announcement_id: id } }] : [];
}

/** Pure. @throws RookeryError `not_found` */
export const decideDelete = (state: Announcement): AnnouncementEvent[] => [
  { type: 'AnnouncementDeleted', data: { announcement_id: existing(state).id } },
];

/** Decides about publishing a due announcement, or unpublishing an expired one. Later changes win. Pure. */
export function decideDue(state: Announcement, now: string): AnnouncementEvent[] {
  if (state.state !== 'exists') return [];
  const { scheduled_at, ends_at } = state.content;
  const over = ends_at !== null && ends_at <= now;
  if (state.published) return over ? decideUnpublish(state) : [];
  return !over && scheduled_at !== null && scheduled_at <= now ? decidePublish(state, now) : [];
}

function existing(state: Announcement): Existing {
  if (state.state === 'exists') return state;
  throw new RookeryError('not_found', 'There is no such announcement');
}

/** `before` is the previous content, if any. @throws RookeryError `invalid` for contradictory times */
function checked(given: AnnouncementContent, now: string, before?: AnnouncementContent): AnnouncementContent {
  const content = given.all_day ? inWholeDays(given) : given;
  const { starts_at, ends_at, scheduled_at } = content;
  if (isNotAfter(ends_at, starts_at)) throw invalid('It must end after it begins');
  if (scheduled_at !== before?.scheduled_at && isNotAfter(scheduled_at, now)) {
    throw invalid('The time to publish it must be in the future');
  }
  if (isNotAfter(ends_at, scheduled_at)) throw invalid('It must end after it is published');
  return content;
}

/** From midnight to midnight, UTC. */
function inWholeDays(content: AnnouncementContent): AnnouncementContent {
  const { starts_at, ends_at } = content;
  if (starts_at === null || ends_at === null) throw invalid('Only what begins and ends can last whole days');
  return {
    ...content,
    starts_at: `${starts_at.slice(0, 10)}T00:00:00.000Z`,
    ends_at: `${ends_at.slice(0, 10)}T23:59:59.000Z`,
  };
}

const isNotAfter = (time: string | null, other: string | null): boolean =>
  time !== null && other !== null && time <= other;
