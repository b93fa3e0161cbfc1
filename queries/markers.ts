import { z } from 'zod';
import type { Marker } from '#events/markers.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { formStringArray } from '#kernel/input.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import { markerSchema } from '#mastodon/schemas/index.ts';
import type { MARKERS as MARKERS_TABLE } from '#projections/markers.ts';

const MARKERS = statement<Pick<RowOf<typeof MARKERS_TABLE>, 'move' | 'home' | 'notifications'>>(
  'markers_show',
  'select move, home, notifications from markers where account_id = $1',
);

/** By timeline; one without a marker is absent. */
export const markersSchema = z.strictObject({
  home: markerSchema.optional(),
  notifications: markerSchema.optional(),
});

/** All markers of an account and the number of their last move; undefined for none. */
export async function storedMarkers(
  db: Db,
  accountId: string,
): Promise<{ move: number; home: Marker | null; notifications: Marker | null } | undefined> {
  const [row] = await db.query(MARKERS, [accountId]);
  return row && { move: row.move, home: parse(row.home), notifications: parse(row.notifications) };
}

const parse = (text: string | null): Marker | null => (text === null ? null : (JSON.parse(text) as Marker));

/** https://docs.joinmastodon.org/methods/markers/#get */
export const showMarkers = endpoint({
  method: 'GET',
  path: '/api/v1/markers',
  summary: 'View how far you have read',
  auth: 'user',
  scopes: ['read:statuses'],
  query: z.object({
    timeline: formStringArray(20, 40, { alone: true, words: ['home', 'notifications'] })
      .default([])
      .describe('Which positions are returned: `home`, `notifications` or both; none by default.'),
  }),
  reply: markersSchema,
  handler: async (ctx, { query }) => {
    const stored = await storedMarkers(ctx.db, ctx.viewer.account_id);
    const asked = (['home', 'notifications'] as const).filter((name) => query.timeline.includes(name));
    const found = asked.flatMap((name) => (stored?.[name] ? [[name, stored[name]] as const] : []));
    return { json: Object.fromEntries(found) };
  },
});

export const markerQueries = [showMarkers];
