import { z } from 'zod';
import { refuseType, type Sanction, takeAction } from '#commands/accounts/index.ts';
import { decideResolve, ifUnresolved, report, resolveReportsOf } from '#commands/reports/index.ts';
import { takeActionOnce } from '#commands/strikes/index.ts';
import { accountAction } from '#events/moderation.ts';
import { reportStream } from '#events/reports.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { formBoolean, idParam, idParams, orNothing, wordText } from '#kernel/input.ts';
import { reportAbout } from '#queries/reports/index.ts';

const MAX_TEXT = 10_000;

/**
 * https://docs.joinmastodon.org/methods/admin/accounts/#action. The strike comes first: after a stop behind it,
 * `finishSanction` resolves the reports.
 */
export const actOnAccount = endpoint({
  method: 'POST',
  path: '/api/v1/admin/accounts/:id/action',
  summary: 'Warn, mark as sensitive, disable, limit or suspend an account',
  auth: 'user',
  scopes: ['admin:write:accounts'],
  permission: 'manage_users',
  params: idParams,
  body: z.object({
    type: wordText(accountAction.options, 100)
      .nullish()
      .describe('The action: `none` for a warning alone, `sensitive`, `disable`, `silence` or `suspend`.'),
    report_id: orNothing(idParam).describe(
      'The ID of the report that led to the action, whose statuses the strike then names.',
    ),
    warning_preset_id: z
      .string()
      .max(40)
      .nullish()
      .describe('The ID of a warning preset; this server has none, so any ID gives 404.'),
    text: z
      .string()
      .max(MAX_TEXT)
      .nullish()
      .describe(`The message to the user, of at most ${MAX_TEXT} characters.`),
    send_email_notification: formBoolean
      .optional()
      .describe('Whether the user is told by a notification and a mail; true by default.'),
    ...ifUnresolved,
  }),
  requires: ['type'],
  reply: z.strictObject({}),
  errors: [409],
  handler: async (ctx, { params, body }) => {
    const { data: action } = accountAction.safeParse(body.type);
    if (!action) refuseType(body.type);
    if (body.warning_preset_id) throw notFound();
    const reportId = body.report_id ?? null;
    const about = reportId === null ? undefined : await reportAbout(ctx.db, reportId, params.id);
    const sanction = {
      action,
      id: ctx.newId(),
      text: body.text?.trim() ?? '',
      reportId,
      statusIds: about?.status_ids ?? [],
      notify: body.send_email_notification !== false,
    };
    if (body.if_unresolved === true && reportId !== null) {
      await takeActionOnce(ctx, params.id, { ...sanction, reportId }, ctx.viewer);
    } else await takeAction(ctx, params.id, sanction, ctx.viewer);
    await resolveReports(ctx, params.id, sanction);
    return { json: {} };
  },
});

/**
 * An action resolves all reports about the account; a warning only the report that caused it, as in Mastodon.
 */
async function resolveReports(
  ctx: UserContext,
  accountId: Id,
  { action, reportId }: Pick<Sanction, 'action' | 'reportId'>,
): Promise<void> {
  const staff = { account_id: ctx.viewer.account_id };
  if (action !== 'none') return resolveReportsOf(ctx, accountId, staff);
  if (reportId === null) return;
  await ctx.execute(reportStream(reportId), report, (state) => decideResolve(state, staff));
}
