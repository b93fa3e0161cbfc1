import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { PLAIN_TEXT } from './plain-text.ts';

/**
 * A signed checkpoint that auditors keep, so that no change of the log goes unnoticed:
 * https://c2sp.org/tlog-checkpoint
 */
export const showCheckpoint = endpoint({
  method: 'GET',
  path: '/.well-known/rookery/checkpoint',
  summary: 'View the newest signed checkpoint of the event log',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  contentType: PLAIN_TEXT,
  reply: z.string(),
  errors: [404],
  handler: async ({ services }) => ({
    text: await services.transparencyLog.newest(),
    headers: { 'Cache-Control': 'public, max-age=30' },
  }),
});
