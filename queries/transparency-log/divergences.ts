import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { PLAIN_TEXT } from './plain-text.ts';

/** Shows auditors why the log does not continue a checkpoint that they kept. */
export const showDivergences = endpoint({
  method: 'GET',
  path: '/.well-known/rookery/divergences',
  summary: 'View the signed statements of the operator that the log contradicts earlier checkpoints',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  contentType: PLAIN_TEXT,
  reply: z.string(),
  handler: async ({ services }) => ({
    text: (await services.transparencyLog.divergences()).map(({ text }) => text).join('\n'),
    headers: { 'Cache-Control': 'public, max-age=30' },
  }),
});
