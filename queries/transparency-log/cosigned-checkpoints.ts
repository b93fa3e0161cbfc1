import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { PLAIN_TEXT } from './plain-text.ts';

const LIMIT = 10;

/**
 * The newest checkpoints that witnesses cosigned, for those who demand a quorum: the newest checkpoint may have no
 * cosignatures yet.
 */
export const showCosignedCheckpoints = endpoint({
  method: 'GET',
  path: '/.well-known/rookery/cosigned-checkpoints',
  summary: 'View the newest checkpoints of the event log that witnesses cosigned',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  contentType: PLAIN_TEXT,
  reply: z.string(),
  handler: async ({ services }) => ({
    text: (await services.transparencyLog.cosigned(LIMIT)).join('\n'),
    headers: { 'Cache-Control': 'public, max-age=30' },
  }),
});
