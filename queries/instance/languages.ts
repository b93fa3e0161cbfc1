import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { knownLanguages } from '#mastodon/languages.ts';

const language = z.strictObject({ code: z.string(), name: z.string() });

const known = JSON.stringify(knownLanguages());

/** The languages of posts with their English names. Mastodon has this endpoint, undocumented. */
export const listLanguages = endpoint({
  method: 'GET',
  path: '/api/v1/instance/languages',
  summary: 'View the languages that posts may be in',
  auth: 'public',
  scopes: [],
  reply: z.array(language),
  handler: () => Promise.resolve({ text: known }),
});
