import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint, type ServerEvents } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import type { RunKind } from '#kernel/services/read-models.ts';
import { adminProjectionRunSchema, adminProjectionSchema } from '#mastodon/schemas/index.ts';
import { projectionParams, projectionReply } from '#queries/admin/projections.ts';
import { cancelRun, followRun, retryProjectionEvent, startRun } from './runs.ts';
import { skipEvent, unskipEvent } from './skip.ts';

/** The read models that it acts on may be those that it would wait for. */
const ofOne = {
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'view_devops',
  method: 'POST',
  params: projectionParams,
  reads: [],
  reply: adminProjectionSchema,
} as const;
const position = z
  .string()
  .regex(/^\d{1,18}$/)
  .describe('The position of the event in the log.');

export const retryProjection = endpoint({
  ...ofOne,
  path: '/api/v1/admin/projections/:name/retry',
  summary: 'Retry the event that halted a read model',
  handler: async (ctx, { params: { name } }) => {
    await retryProjectionEvent(ctx, name);
    return projectionReply(ctx, name);
  },
});

/** A build that ends when the client disconnects. */
const followed = {
  ...ofOne,
  contentType: 'text/event-stream; charset=utf-8',
  reply: z.string(),
  errors: [409],
} as const;

export const rebuildProjection = endpoint({
  ...followed,
  path: '/api/v1/admin/projections/:name/rebuild',
  summary: 'Build a read model anew, with server-sent events about the progress',
  handler: (ctx, { params: { name } }) => startFollowed(ctx, { name, kind: 'rebuild' }),
});

export const verifyProjection = endpoint({
  ...followed,
  path: '/api/v1/admin/projections/:name/verify',
  summary: 'Compare a read model with the log, with server-sent events about the progress',
  handler: (ctx, { params: { name } }) => startFollowed(ctx, { name, kind: 'verify' }),
});

async function startFollowed(
  ctx: RequestContext,
  build: { name: string; kind: RunKind },
): Promise<{ text: string; events: ServerEvents }> {
  const id = ctx.newId();
  await startRun(ctx, { id, ...build });
  return { text: '', events: followRun(ctx, id) };
}

export const skipProjectionEvent = endpoint({
  ...ofOne,
  path: '/api/v1/admin/projections/:name/skip',
  summary: 'Let a halted read model go on without an event',
  body: z.object({
    position,
    reason: z.string().max(1_000).describe('Why the event is left out; recorded in the audit log.'),
  }),
  handler: async (ctx, { params: { name }, body }) => {
    await skipEvent(ctx, { name, ...body });
    return projectionReply(ctx, name);
  },
});

export const unskipProjectionEvent = endpoint({
  ...ofOne,
  path: '/api/v1/admin/projections/:name/unskip',
  summary: 'Take a skipped event again with the next rebuild',
  body: z.object({ position }),
  handler: async (ctx, { params: { name }, body }) => {
    await unskipEvent(ctx, { name, ...body });
    return projectionReply(ctx, name);
  },
});

export const startProjectionRun = endpoint({
  ...ofOne,
  path: '/api/v1/admin/projections/:name/runs',
  summary: 'Start to build a read model anew or to compare it with the log, in the background',
  body: z.object({
    kind: z
      .enum(['rebuild', 'verify'])
      .describe('Whether the build takes the place of the read model, or is only compared with it.'),
  }),
  reply: adminProjectionRunSchema,
  errors: [409],
  handler: async (ctx, { params: { name }, body: { kind } }) => {
    const id = ctx.newId();
    await startRun(ctx, { id, name, kind });
    return { json: await ctx.services.readModels.run(id) };
  },
});

export const cancelProjectionRun = endpoint({
  ...ofOne,
  path: '/api/v1/admin/projections/runs/:id/cancel',
  summary: 'End a build of a read model at its next step; the live read model stays as it is',
  params: idParams,
  reply: adminProjectionRunSchema,
  handler: async (ctx, { params: { id } }) => {
    await cancelRun(ctx, id);
    return { json: await ctx.services.readModels.run(id) };
  },
});

export const adminProjectionCommands = [
  cancelProjectionRun,
  startProjectionRun,
  retryProjection,
  rebuildProjection,
  verifyProjection,
  skipProjectionEvent,
  unskipProjectionEvent,
];
