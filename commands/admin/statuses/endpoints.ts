import { z } from 'zod';
import { account, refuseType, requireBelow } from '#commands/accounts/index.ts';
import { ifUnresolved } from '#commands/reports/index.ts';
import { accountStream } from '#events/accounts.ts';
import type { UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { isId } from '#kernel/ids.ts';
import { formBoolean, formStringArray, idParam, idParams, orNothing, wordText } from '#kernel/input.ts';
import { reportSubject } from '#queries/reports/index.ts';
import { authorOf, MAX_STATUSES, moderateStatuses, STATUS_ACTIONS, type StatusAction } from './moderate.ts';
import { liftMark } from './sensitize.ts';

const MAX_TEXT = 10_000;

/*
 * Mastodon has these actions only on its web pages. The paths are Rookery's own; the names of the actions are
 * Mastodon's.
 */

/** The message to the author. */
const told = {
  text: z
    .string()
    .max(MAX_TEXT)
    .nullish()
    .describe(`The message to the author, of at most ${MAX_TEXT} characters.`),
  send_email_notification: formBoolean
    .optional()
    .describe('Whether the author is told by a notification and a mail; true by default.'),
};
type NotificationOptions = z.output<z.ZodObject<typeof told>>;
const type = wordText(['delete', 'mark_as_sensitive'], 100)
  .nullish()
  .describe('The action: `delete` or `mark_as_sensitive`.');
const shared = {
  method: 'POST',
  auth: 'user',
  permission: 'manage_reports',
  params: idParams,
  reply: z.strictObject({}),
} as const;
const onStatus = {
  ...shared,
  scopes: ['admin:write:reports'],
  body: z.object({
    ...told,
    report_id: orNothing(idParam).describe(
      'The ID of the report that led to the action and is resolved by it; it must be about the same author.',
    ),
  }),
} as const;

export const deleteStatusAsStaff = endpoint({
  ...onStatus,
  path: '/api/v1/admin/statuses/:id/delete',
  summary: 'Remove a status, as staff',
  handler: (ctx, { params: { id }, body }) => actOnOne(ctx, id, 'delete', body),
});

export const markAsSensitive = endpoint({
  ...onStatus,
  path: '/api/v1/admin/statuses/:id/mark_as_sensitive',
  summary: 'Mark a status as sensitive, as staff',
  handler: (ctx, { params: { id }, body }) => actOnOne(ctx, id, 'mark_as_sensitive', body),
});

export const unmarkAsSensitive = endpoint({
  ...shared,
  path: '/api/v1/admin/statuses/:id/unmark_as_sensitive',
  summary: 'Take the mark from a status that staff marked as sensitive',
  scopes: ['admin:write:reports'],
  handler: async (ctx, { params: { id } }) => {
    const accountId = await authorOf(ctx, id);
    requireBelow(await ctx.load(accountStream(accountId), account), ctx.viewer);
    await liftMark(ctx, { id, strikeId: null });
    return { json: {} };
  },
});

export const actOnReport = endpoint({
  ...shared,
  path: '/api/v1/admin/reports/:id/action',
  summary: 'Remove the statuses of a report, or mark them as sensitive',
  scopes: ['admin:write:reports'],
  body: z.object({ type, ...told, ...ifUnresolved }),
  requires: ['type'],
  errors: [409],
  handler: async (ctx, { params: { id }, body }) => {
    const { account_id, status_ids } = await reportSubject(ctx.db, id);
    return act(ctx, account_id, actionOf(body.type), status_ids, { ...body, report_id: id });
  },
});

export const actOnAccountStatuses = endpoint({
  ...shared,
  path: '/api/v1/admin/accounts/:id/statuses/action',
  summary: 'Remove statuses of an account, or mark them as sensitive',
  scopes: ['admin:write:accounts'],
  body: z.object({
    type,
    ...told,
    status_ids: formStringArray(MAX_STATUSES, 40)
      .optional()
      .describe(`IDs of statuses of the account, at most ${MAX_STATUSES}.`),
  }),
  requires: ['type', 'status_ids'],
  handler: async (ctx, { params: { id }, body }) => {
    requireBelow(await ctx.load(accountStream(id), account), ctx.viewer);
    const statusIds = (body.status_ids ?? []).map(knownId);
    return act(ctx, id, actionOf(body.type), statusIds, { ...body, report_id: null });
  },
});

type Why = NotificationOptions & {
  report_id?: Id | null | undefined;
  if_unresolved?: boolean | null | undefined;
};

async function actOnOne(ctx: UserContext, id: Id, action: StatusAction, why: Why): Promise<Reply> {
  const author = await authorOf(ctx, id);
  if (why.report_id != null) {
    const { account_id } = await reportSubject(ctx.db, why.report_id);
    if (account_id !== author) throw invalid('Validation failed: Report is about another account');
  }
  return act(ctx, author, action, [id], why);
}

async function act(
  ctx: UserContext,
  accountId: Id,
  action: StatusAction,
  statusIds: readonly Id[],
  { text, report_id, send_email_notification, if_unresolved }: Why,
): Promise<Reply> {
  const notify = send_email_notification !== false;
  const sanction = { action, statusIds, text: text?.trim() ?? '', reportId: report_id ?? null, notify };
  await moderateStatuses(ctx, accountId, { ...sanction, ifUnresolved: if_unresolved === true }, ctx.viewer);
  return { json: {} };
}

/** Text that is no id names no status. */
const knownId = (text: string): Id => (isId(text) ? text : '0');

/** @throws RookeryError `invalid`, in Mastodon's words */
function actionOf(text: string | null | undefined): StatusAction {
  if (text != null && Object.hasOwn(STATUS_ACTIONS, text)) return text as StatusAction;
  return refuseType(text);
}
