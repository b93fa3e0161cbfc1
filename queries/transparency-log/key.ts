import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { PLAIN_TEXT } from './plain-text.ts';

/** The public key in the form of https://c2sp.org/signed-note */
export const showKey = endpoint({
  method: 'GET',
  path: '/.well-known/rookery/key',
  summary: 'View the key that signs checkpoints of the event log',
  auth: 'public',
  openInLimitedMode: true,
  scopes: [],
  contentType: PLAIN_TEXT,
  reply: z.string(),
  handler: ({ services }) =>
    Promise.resolve({
      text: `${services.transparencyLog.verifierKey}\n`,
      headers: { 'Cache-Control': 'public, max-age=3600' },
    }),
});
