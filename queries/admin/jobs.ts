import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { limitParameter } from '#kernel/paging.ts';
import { adminJobsSchema } from '#mastodon/schemas/index.ts';

export const showJobs = endpoint({
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_devops',
  // The queue is no read model.
  reads: [],
  method: 'GET',
  path: '/api/v1/admin/jobs',
  summary: 'Get the running, waiting, scheduled and failed jobs',
  query: z.object({
    name: z.string().max(100).optional().describe('Only jobs of this kind.'),
    limit: limitParameter(40, 200),
  }),
  reply: adminJobsSchema,
  handler: async ({ services }, { query }) => ({ json: await services.jobs.overview(query) }),
});

export const adminJobQueries = [showJobs];
