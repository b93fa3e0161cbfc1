import { z } from 'zod';
import { accountStream } from '#events/accounts.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { adminAppealSchema } from '#mastodon/schemas/index.ts';
import { adminAppealText, appealOf } from '#queries/admin/appeals/index.ts';
import { account } from '../accounts/index.ts';
import { judgeAppeal, type Judgement, MAX_APPEAL } from '../strikes/index.ts';

const judging = <const Path extends string>(path: Path, verdict: Judgement['verdict'], summary: string) =>
  endpoint({
    method: 'POST',
    path,
    summary,
    auth: 'user',
    scopes: ['admin:write:accounts'],
    permission: 'manage_appeals',
    params: idParams,
    body: z.object({
      note: z
        .string()
        .max(20_000)
        .nullish()
        .describe(`The answer to the user, of at most ${MAX_APPEAL} characters; empty by default.`),
    }),
    reply: adminAppealSchema,
    handler: async (ctx, { params: { id }, body }) => {
      try {
        await judgeAppeal(ctx, { appealId: id, verdict, note: body.note ?? '', judge: ctx.viewer });
      } catch (error) {
        // The reads of the caller contain a faster decision from now on, because it is loaded.
        const appeal = await appealOf(ctx.db, id);
        if (appeal) await ctx.load(accountStream(appeal.account_id), account);
        throw error;
      }
      return { text: await adminAppealText(ctx, id) };
    },
  });

/** Mastodon offers both only on its web pages, so the paths are Rookery's own. */
export const approveAppeal = judging(
  '/api/v1/admin/appeals/:id/approve',
  'approved',
  'Overrule a strike, and end what it did',
);
export const rejectAppeal = judging('/api/v1/admin/appeals/:id/reject', 'rejected', 'Let a strike stand');

export const adminAppealCommands = [approveAppeal, rejectAppeal];
