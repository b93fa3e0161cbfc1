import { endpoint } from '#kernel/endpoint.ts';
import { PUBLIC_TEXT } from './public-text.ts';

/** The public key in the form of https://c2sp.org/signed-note */
export const showKey = endpoint({
  ...PUBLIC_TEXT,
  path: '/.well-known/rookery/key',
  summary: 'View the key that signs checkpoints of the event log',
  handler: ({ services }) =>
    Promise.resolve({
      text: `${services.transparencyLog.verifierKey}\n`,
      headers: { 'Cache-Control': 'public, max-age=3600' },
    }),
});
