import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';

/** A timeline that a client has open. */
export type OpenTimeline = { viewerId: Id } & (
  | { timeline: 'home' }
  | { timeline: 'public'; local: boolean | null; media: boolean }
  /** `tags` matches any of these hashtags; all are in normal form. */
  | {
      timeline: 'tag';
      local: boolean | null;
      tags: readonly string[];
      all: readonly string[];
      none: readonly string[];
    }
  | { timeline: 'list'; listId: Id }
);
const TAGS = statement<{ tag: string }>(
  'audience_tags',
  'select distinct tag from status_tags where status_id = any($1::bigint[])',
);

interface Placed {
  timeline: OpenTimeline;
  place: number;
}

/** Leaves out timelines of hashtags that none of the statuses has. */
export async function withTagsOf(
  db: Db,
  ids: readonly Id[],
  open: readonly OpenTimeline[],
): Promise<readonly Placed[]> {
  const placed = open.map((timeline, place) => ({ timeline, place }));
  if (!open.some(({ timeline }) => timeline === 'tag')) return placed;
  const rows = await db.query(TAGS, [ids]);
  const tags = new Set(rows.map(({ tag }) => tag));
  return placed.filter(
    ({ timeline }) => timeline.timeline !== 'tag' || timeline.tags.some((tag) => tags.has(tag)),
  );
}

/** Returns the different timelines of a kind, each with all places where it is open. */
export function samePlaces(
  open: readonly Placed[],
  name: OpenTimeline['timeline'],
): { timeline: OpenTimeline; places: number[] }[] {
  const groups = new Map<string, { timeline: OpenTimeline; places: number[] }>();
  for (const { timeline, place } of open) {
    if (timeline.timeline !== name) continue;
    const key = JSON.stringify(timeline);
    const group = groups.get(key);
    if (group) group.places.push(place);
    else groups.set(key, { timeline, places: [place] });
  }
  return [...groups.values()];
}
