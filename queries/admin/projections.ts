import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { limitParameter } from '#kernel/paging.ts';
import { adminProjectionRunSchema, adminProjectionSchema } from '#mastodon/schemas/index.ts';

export const projectionParams = z.object({
  name: z
    .string()
    .max(60)
    .regex(/^[\w-]+$/)
    .describe('The name of the read model.'),
});

const staff = { auth: 'user', scopes: ['admin:read'], permission: 'view_devops', reads: [] } as const;

/** The reply of one read model. */
export async function projectionReply(
  { services }: RequestContext,
  name: string,
): Promise<{ json: unknown }> {
  const { event, ...model } = await services.readModels.show(name);
  if (!event) return { json: { ...model, event: null } };
  const { type, stream, revision, data, metadata } = event;
  return { json: { ...model, event: { type, stream, revision, data, metadata } } };
}

export const listProjections = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/projections',
  summary: 'List all read models, with their state and lag',
  reply: z.array(adminProjectionSchema),
  handler: async ({ services }) => ({ json: await services.readModels.list() }),
});

export const showProjection = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/projections/:name',
  summary: 'Get a single read model, with its tables and the event that halted it',
  params: projectionParams,
  reply: adminProjectionSchema,
  handler: (ctx, { params: { name } }) => projectionReply(ctx, name),
});

export const listProjectionRuns = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/projections/runs',
  summary: 'List the builds of read models that staff started, newest first, with their progress',
  query: z.object({
    name: z.string().max(60).optional().describe('Only builds of this read model.'),
    limit: limitParameter(20, 100),
  }),
  reply: z.array(adminProjectionRunSchema),
  handler: async ({ services }, { query }) => ({ json: await services.readModels.runs(query) }),
});

export const showProjectionRun = endpoint({
  ...staff,
  method: 'GET',
  path: '/api/v1/admin/projections/runs/:id',
  summary: 'Get a single build of a read model, with its progress or its end',
  params: idParams,
  reply: adminProjectionRunSchema,
  handler: async ({ services }, { params: { id } }) => ({ json: await services.readModels.run(id) }),
});

export const adminProjectionQueries = [
  listProjections,
  listProjectionRuns,
  showProjectionRun,
  showProjection,
];
