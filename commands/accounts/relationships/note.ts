import { z } from 'zod';
import { decideNote, MAX_NOTE } from '#commands/relationships/index.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { changeOwnRelationship, relationshipEndpoint } from './own-relationship.ts';

export const noteAccount = endpoint({
  ...relationshipEndpoint,
  path: '/api/v1/accounts/:id/note',
  summary: 'Set a private note on an account',
  scopes: ['write:accounts'],
  body: z.object({
    comment: z
      .string()
      .max(MAX_NOTE)
      .nullable()
      .optional()
      .describe(`The private note, of at most ${MAX_NOTE} characters; an empty or absent one removes it.`),
  }),
  handler: (ctx, { params, body }) =>
    changeOwnRelationship(ctx, params.id, (state, pair) =>
      decideNote(state, { ...pair, comment: body.comment ?? '' }),
    ),
});
