import { z } from 'zod';
import { decideMute, decideUnmute } from '#commands/relationships/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { formBoolean, formInteger } from '#kernel/input.ts';
import { timeAfter } from '#kernel/time.ts';
import { changeOwnRelationship, relationshipEndpoint } from './own-relationship.ts';

/** Seconds in a hundred years. */
const MAX_DURATION = 3_153_600_000;

export const muteAccount = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/mute',
  summary: 'Mute an account',
  scopes: ['write:mutes', 'follow'],
  body: z.object({
    notifications: formBoolean
      .optional()
      .describe('Whether notifications from the account are muted too; true by default.'),
    duration: formInteger(0, MAX_DURATION)
      .optional()
      .describe('How long the mute lasts, in seconds; 0, the default, is without end.'),
  }),
  handler: (ctx, { params, body }) => {
    const terms = {
      id: ctx.newId(),
      now: ctx.now,
      notifications: body.notifications ?? true,
      expires_at: body.duration ? timeAfter(ctx.now, body.duration * 1_000) : null,
    };
    return changeOwnRelationship(ctx, params.id, (state, pair) => decideMute(state, { ...terms, ...pair }));
  },
});

export const unmuteAccount = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/unmute',
  summary: 'Unmute an account',
  scopes: ['write:mutes', 'follow'],
  handler: (ctx, { params }) => changeOwnRelationship(ctx, params.id, decideUnmute),
});
