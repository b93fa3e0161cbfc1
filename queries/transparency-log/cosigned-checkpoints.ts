import { endpoint } from '#kernel/endpoint.ts';
import { PUBLIC_TEXT } from './public-text.ts';

const LIMIT = 10;

/**
 * The newest checkpoints that witnesses cosigned, for those who demand a quorum: the newest checkpoint may have no
 * cosignatures yet.
 */
export const showCosignedCheckpoints = endpoint({
  ...PUBLIC_TEXT,
  path: '/.well-known/rookery/cosigned-checkpoints',
  summary: 'View the newest checkpoints of the event log that witnesses cosigned',
  handler: async ({ services }) => ({
    text: (await services.transparencyLog.cosigned(LIMIT)).join('\n'),
    headers: { 'Cache-Control': 'public, max-age=30' },
  }),
});
