import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { adminEventPageSchema, adminEventSchema, adminTraceSchema } from '#mastodon/schemas/index.ts';
import {
  actorId,
  correlation,
  logParameters,
  optionalPosition,
  personalParameter,
  position,
  TYPES,
} from './parameters.ts';
import { eventReplies } from './reply.ts';

/** Names of actors are the only thing that it reads from read models, and they may be late. */
const OPERATOR = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_devops',
  reads: [],
  recorded: 'event_log',
} as const;

export const listLog = endpoint({
  ...OPERATOR,
  path: '/api/v1/admin/log',
  summary: 'View events of the log, the newest first',
  query: z.object(logParameters),
  errors: [404],
  reply: adminEventPageSchema,
  handler: async (ctx, { query }) => {
    const { db, services } = ctx;
    const filter = {
      types: query.type,
      without: query.exclude_type,
      withoutLooksOf: query.exclude_own_views === true ? ctx.viewer.account_id : undefined,
      from: query.from,
      until: query.until,
      stream: query.stream,
      actor: await actorId(ctx, query.actor),
      correlation: query.correlation,
    };
    const place = { before: query.max_id, limit: query.limit };
    const { events, ...page } = await services.eventBrowser.list(filter, place);
    return { json: { ...page, events: await eventReplies(db, events) } };
  },
});

export const listEventTypes = endpoint({
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_devops',
  reads: [],
  path: '/api/v1/admin/log/types',
  summary: 'List the types of events, by name',
  reply: z.array(z.string()),
  handler: () => Promise.resolve({ json: TYPES }),
});

export const showLogEvent = endpoint({
  ...OPERATOR,
  path: '/api/v1/admin/log/:position',
  summary: 'View one event of the log',
  params: z.object({ position: position.describe('The position of the event.') }),
  query: z.object({ personal: personalParameter }),
  reply: adminEventSchema,
  handler: async ({ db, services }, { params, query }) => {
    const event = await services.eventBrowser.find(params.position);
    if (!event) throw notFound();
    const [json] = await eventReplies(db, [event], { personal: query.personal === true });
    return { json };
  },
});

export const showTrace = endpoint({
  ...OPERATOR,
  path: '/api/v1/admin/trace/:correlation',
  summary: 'View what happened because of one request',
  params: z.object({
    correlation: correlation.describe('The X-Request-Id of the reply, or the correlation_id of an event.'),
  }),
  query: z.object({
    near: optionalPosition.describe('Looks around this position; by default among the newest events.'),
    max_id: optionalPosition.describe('Looks before this position.'),
  }),
  errors: [404],
  reply: adminTraceSchema,
  handler: async ({ db, services }, { params, query: { near, max_id } }) => {
    const { events, ...trace } = await services.eventBrowser.trace(params.correlation, {
      near,
      before: max_id,
    });
    return { json: { correlation_id: params.correlation, ...trace, events: await eventReplies(db, events) } };
  },
});
