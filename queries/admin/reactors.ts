import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { limitParameter } from '#kernel/paging.ts';
import { adminDeadLetterSchema, adminReactorSchema, adminTimerSchema } from '#mastodon/schemas/index.ts';

/** These states are durable tables, which no read model contains. */
const staff = { auth: 'user', scopes: ['admin:read'], permission: 'view_devops', reads: [] } as const;

export const reactorName = z.string().max(60).describe('The name of the reactor.');
export const eventId = z.uuid().describe('The id of the event.');

export const listReactors = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/reactors',
  summary: 'List the reactors, with their lag and how many events they could not handle',
  reply: z.array(adminReactorSchema),
  handler: async ({ services }) => ({ json: await services.reactors.list() }),
});

export const listTimers = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/timers',
  summary: 'List the timers, with their next and last run, and the error of those that fail',
  reply: z.array(adminTimerSchema),
  handler: async ({ services }) => ({ json: await services.reactors.timers() }),
});

export const listDeadLetters = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/reactors/dead_letters',
  summary: 'List the events that reactors could not handle, newest first, with the error',
  query: z.object({ reactor: reactorName.optional(), limit: limitParameter(40, 200) }),
  reply: z.array(adminDeadLetterSchema),
  handler: async ({ services }, { query }) => ({ json: await services.reactors.deadLetters(query) }),
});

export const showDeadLetter = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/reactors/:reactor/dead_letters/:event_id',
  summary: 'Get a single event that a reactor could not handle, decoded',
  params: z.object({ reactor: reactorName, event_id: eventId }),
  reply: adminDeadLetterSchema,
  handler: async ({ services: { reactors } }, { params: { reactor, event_id } }) => {
    const [found] = await reactors.deadLetters({ reactor, eventId: event_id, limit: 1 });
    if (!found) throw notFound();
    const event = await reactors.eventAt(found.position);
    const shown = event && { data: event.data, metadata: event.metadata, revision: event.revision };
    return { json: { ...found, event: shown ?? null } };
  },
});

export const adminReactorQueries = [listReactors, listTimers, listDeadLetters, showDeadLetter];
