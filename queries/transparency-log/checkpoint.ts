import { endpoint } from '#kernel/endpoint.ts';
import { PUBLIC_TEXT } from './public-text.ts';

/**
 * A signed checkpoint that auditors keep, so that no change of the log goes unnoticed:
 * https://c2sp.org/tlog-checkpoint
 */
export const showCheckpoint = endpoint({
  ...PUBLIC_TEXT,
  path: '/.well-known/rookery/checkpoint',
  summary: 'View the newest signed checkpoint of the event log',
  errors: [404],
  handler: async ({ services }) => ({
    text: await services.transparencyLog.newest(),
    headers: { 'Cache-Control': 'public, max-age=30' },
  }),
});
