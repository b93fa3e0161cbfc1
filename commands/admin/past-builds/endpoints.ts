import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { adminPastBuildSchema } from '#mastodon/schemas/index.ts';
import { recordMaintenance } from '../audit/index.ts';

const OPERATOR = { auth: 'user', scopes: ['admin:write'], permission: 'view_devops' } as const;
const builds = z.array(adminPastBuildSchema);

export const beginPastBuild = endpoint({
  ...OPERATOR,
  method: 'POST',
  path: '/api/v1/admin/as_of',
  summary: 'Build all read models as they were at a point of the past, in the background',
  body: z.object({
    when: z.string().max(60).describe('A position of the log, a day, or a time in ISO 8601 with its zone.'),
  }),
  requires: ['when'],
  errors: [404, 409],
  reply: builds,
  handler: async (ctx, { body: { when } }) => {
    const { position, isNew } = await ctx.services.pastBuilds.begin(when.trim());
    await recordMaintenance(ctx, { task: 'as_of_build', options: { position }, changed: isNew ? 1 : 0 });
    return { json: await ctx.services.pastBuilds.list() };
  },
});

export const dropPastBuild = endpoint({
  ...OPERATOR,
  method: 'DELETE',
  path: '/api/v1/admin/as_of/:position',
  summary: 'Remove the read models of a point of the past',
  params: z.object({
    position: z
      .string()
      .regex(/^\d{1,18}$/)
      .describe('The position of the build.'),
  }),
  errors: [409],
  reply: builds,
  handler: async (ctx, { params: { position } }) => {
    await ctx.services.pastBuilds.drop(position);
    await recordMaintenance(ctx, { task: 'as_of_drop', options: { position }, changed: 1 });
    return { json: await ctx.services.pastBuilds.list() };
  },
});

export const adminPastBuildCommands = [beginPastBuild, dropPastBuild];
