import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { adminPastBuildSchema } from '#mastodon/schemas/index.ts';

export const listPastBuilds = endpoint({
  method: 'GET',
  path: '/api/v1/admin/as_of',
  summary: 'List the read models of the past that are on disk',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_devops',
  // It reads no read model.
  reads: [],
  reply: z.array(adminPastBuildSchema),
  handler: async ({ services }) => ({ json: await services.pastBuilds.list() }),
});

export const adminPastBuildQueries = [listPastBuilds];
