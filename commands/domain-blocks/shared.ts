import { z } from 'zod';

/** What blocking and unblocking a domain have in common. */
export const domainEndpoint = {
  auth: 'user',
  scopes: ['write:blocks', 'follow'],
  body: z.object({
    domain: z
      .string()
      .max(2_048)
      .nullable()
      .default('')
      .describe('The domain of the other server, without a scheme or a path.'),
  }),
  requires: ['domain'],
  reply: z.strictObject({}),
} as const;
