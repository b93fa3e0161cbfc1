import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import { formObject, idParam, orNothing } from '#kernel/input.ts';
import { MAIN, NOTIFICATIONS } from '#kernel/projection.ts';
import { markersSchema, storedMarkers } from '#queries/markers.ts';
import { unrounded } from '#queries/notifications/index.ts';
import { decideMove, markers, type MoveMarkers, streamAfter, TIMELINES } from './markers.ts';

const position = formObject(
  z.object({
    last_read_id: orNothing(idParam).describe('The ID of the newest entry that the user has read.'),
  }),
);

/** https://docs.joinmastodon.org/methods/markers/#create. Replies with the changed markers. */
export const saveMarkers = endpoint({
  method: 'POST',
  path: '/api/v1/markers',
  summary: 'Save how far you have read',
  auth: 'user',
  scopes: ['write:statuses'],
  body: z.object({
    home: position.describe('The position in the home timeline.'),
    notifications: position.describe('The position in the notifications.'),
  }),
  reads: [MAIN, NOTIFICATIONS],
  reply: markersSchema,
  handler: async (ctx, { body }) => {
    const positions: MoveMarkers['positions'] = {};
    for (const timeline of TIMELINES) {
      const id = body[timeline]?.last_read_id;
      if (id === null) throw invalid("Validation failed: Last read can't be blank");
      if (id !== undefined) positions[timeline] = id;
    }
    const moved = TIMELINES.filter((timeline) => positions[timeline] !== undefined);
    if (moved.length === 0) return { json: {} };
    const { notifications } = positions;
    if (notifications !== undefined) positions.notifications = await unrounded(ctx, notifications);
    const accountId = ctx.viewer.account_id;
    const seen = await storedMarkers(ctx.db, accountId);
    const command: MoveMarkers = { accountId, now: ctx.now, positions, seen };
    const { state } = await ctx.execute(streamAfter(accountId, seen), markers, (before) =>
      decideMove(before, command),
    );
    return { json: Object.fromEntries(moved.map((timeline) => [timeline, state?.[timeline]])) };
  },
});
