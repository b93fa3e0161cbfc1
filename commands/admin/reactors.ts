import { z } from 'zod';
import { operationStream } from '#events/operation.ts';
import type { CommandContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { DeadLetterChoice } from '#kernel/services/reactors.ts';
import { eventId, reactorName } from '#queries/admin/reactors.ts';
import { noted } from './operation.ts';

/**
 * Lets the process that runs the reactors try dead-lettered events again: all, one reactor's, or one event.
 * @returns their number
 * @throws RookeryError `not_found` when there are none
 */
export async function retryDeadLetters(ctx: CommandContext, which: DeadLetterChoice): Promise<number> {
  const { reactors } = ctx.services;
  const count = await reactors.countDeadLetters(which);
  if (count === 0) throw new RookeryError('not_found', 'No such event is dead-lettered');
  const { reactor = null, eventId: event_id = null } = which;
  const data = { reactor, event_id, count };
  await noted(ctx, operationStream('reactor', reactor ?? 'all'), { type: 'DeadLettersRetried', data });
  return reactors.retry(which);
}

export const retryDeadLettersOf = endpoint({
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'view_devops',
  // The dead letters are no read model.
  reads: [],
  method: 'POST',
  path: '/api/v1/admin/reactors/dead_letters/retry',
  summary: 'Retry events that reactors could not handle: all, those of one reactor, or one event',
  body: z.object({ reactor: reactorName.optional(), event_id: eventId.optional() }),
  reply: z.strictObject({ count: z.number() }),
  errors: [404],
  handler: async (ctx, { body: { reactor, event_id } }) => ({
    json: { count: await retryDeadLetters(ctx, { reactor, eventId: event_id }) },
  }),
});

export const adminReactorCommands = [retryDeadLettersOf];
