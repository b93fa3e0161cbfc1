import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';

/** https://docs.joinmastodon.org/methods/instance/#translation_languages. Empty without a translator. */
export const translationLanguages = endpoint({
  method: 'GET',
  path: '/api/v1/instance/translation_languages',
  summary: 'View which languages can be translated into which',
  auth: 'public',
  scopes: [],
  reply: z.record(z.string(), z.array(z.string())),
  handler: async (ctx) => ({ json: Object.fromEntries((await ctx.services.translator?.languages()) ?? []) }),
});
