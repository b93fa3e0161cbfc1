import { endpoint } from '#kernel/endpoint.ts';
import { PUBLIC_TEXT } from './public-text.ts';

/** Shows auditors why the log does not continue a checkpoint that they kept. */
export const showDivergences = endpoint({
  ...PUBLIC_TEXT,
  path: '/.well-known/rookery/divergences',
  summary: 'View the signed statements of the operator that the log contradicts earlier checkpoints',
  handler: async ({ services }) => ({
    text: (await services.transparencyLog.divergences()).map(({ text }) => text).join('\n'),
    headers: { 'Cache-Control': 'public, max-age=30' },
  }),
});
