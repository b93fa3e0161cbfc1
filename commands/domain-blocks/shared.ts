import { z } from 'zod';

/** The common declaration of blocking and unblocking a domain. */
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
