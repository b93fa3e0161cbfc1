import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';

/** Mastodon has it, though not in its documentation. A server that collects no donations has nothing to say. */
export const showDonationCampaign = endpoint({
  method: 'GET',
  path: '/api/v1/donation_campaigns',
  summary: 'Ask for a donation campaign, of which this server has none',
  auth: 'user',
  scopes: [],
  reply: z.string(),
  contentType: 'text/plain',
  replies: { 204: 'There is no campaign.' },
  handler: () => Promise.resolve({ text: '', status: 204 }),
});
