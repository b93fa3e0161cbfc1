import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { userNeeded } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';

const CONFIRMED = statement<{ confirmed: boolean }>(
  'email_confirmed',
  'select confirmed from users where account_id = $1',
);

/** Apps ask this while they wait for their user to open the mail. */
export const checkConfirmation = endpoint({
  method: 'GET',
  path: '/api/v1/emails/check_confirmation',
  summary: 'Tell whether the e-mail address is confirmed',
  auth: 'app',
  scopes: ['read:accounts'],
  errors: [422],
  reply: z.boolean(),
  handler: async (ctx) => {
    if (ctx.token.account_id === undefined) throw userNeeded();
    const [user] = await ctx.db.query(CONFIRMED, [ctx.token.account_id]);
    return { json: user?.confirmed === true };
  },
});

export const emailQueries = [checkConfirmation];
