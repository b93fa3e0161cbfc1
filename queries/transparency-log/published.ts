import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { PLAIN_TEXT } from './plain-text.ts';

/**
 * The checkpoint beside the public tiles of the log: every tile of its tree exists.
 * https://c2sp.org/tlog-tiles
 */
export const showPublishedCheckpoint = endpoint({
  method: 'GET',
  path: '/.well-known/rookery/log/checkpoint',
  summary: 'View the newest signed checkpoint of the event log whose tiles are public',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  contentType: PLAIN_TEXT,
  reply: z.string(),
  errors: [404],
  handler: async ({ services }) => ({
    text: await services.transparencyLog.published(),
    headers: { 'Cache-Control': 'public, max-age=5' },
  }),
});
