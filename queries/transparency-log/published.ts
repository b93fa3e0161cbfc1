import { endpoint } from '#kernel/endpoint.ts';
import { PUBLIC_TEXT } from './public-text.ts';

/**
 * The checkpoint beside the public tiles of the log: every tile of its tree exists.
 * https://c2sp.org/tlog-tiles
 */
export const showPublishedCheckpoint = endpoint({
  ...PUBLIC_TEXT,
  path: '/.well-known/rookery/log/checkpoint',
  summary: 'View the newest signed checkpoint of the event log whose tiles are public',
  errors: [404],
  handler: async ({ services }) => ({
    text: await services.transparencyLog.published(),
    headers: { 'Cache-Control': 'public, max-age=5' },
  }),
});
