import { z } from 'zod';
import { decideResolve, ifUnresolved, type Report, report, requireFiled } from '#commands/reports/index.ts';
import { resolveOnce } from '#commands/strikes/index.ts';
import { type ReportEvent, reportStream } from '#events/reports.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { endpoint, type Reply } from '#kernel/endpoint.ts';
import type { Id } from '#kernel/ids.ts';
import { idParams } from '#kernel/input.ts';
import { adminReportSchema } from '#mastodon/schemas/index.ts';
import { adminReportText } from '#queries/admin/reports/index.ts';

/** `newId` is an id that nothing has. */
export type ReportDecision = (state: Report, newId: Id) => readonly ReportEvent[];

/** Decides about a report. @throws RookeryError `not_found` */
export async function changeReport(ctx: CommandContext, id: Id, decide: ReportDecision): Promise<void> {
  const newId = ctx.newId();
  await ctx.execute(reportStream(id), report, (state) => decide(state, newId));
}

/** Decides about a report and returns it. */
export async function handleReport(ctx: UserContext, id: Id, decide: ReportDecision): Promise<Reply> {
  await changeReport(ctx, id, decide);
  return { text: await adminReportText(ctx, id) };
}

const onReport = {
  method: 'POST',
  auth: 'user',
  scopes: ['admin:write:reports'],
  permission: 'manage_reports',
  params: idParams,
  reply: adminReportSchema,
} as const;

/** Declares an action on a report that needs only its id and the staff member. A repeat changes nothing. */
const handling = <const Path extends string>(
  path: Path,
  summary: string,
  decide: (state: Report, staffId: Id, newId: Id) => ReportEvent[],
) =>
  endpoint({
    ...onReport,
    path,
    summary,
    handler: (ctx, { params: { id } }) =>
      handleReport(ctx, id, (state, newId) => decide(state, ctx.viewer.account_id, newId)),
  });

/**
 * https://docs.joinmastodon.org/methods/admin/reports/#assign_to_self; also takes a report over from another
 * staff member.
 */
export const assignReport = handling(
  '/api/v1/admin/reports/:id/assign_to_self',
  'Claim the handling of a report',
  decideAssign,
);
/** https://docs.joinmastodon.org/methods/admin/reports/#unassign */
export const unassignReport = handling(
  '/api/v1/admin/reports/:id/unassign',
  'Let somebody else handle a report',
  decideUnassign,
);
/** https://docs.joinmastodon.org/methods/admin/reports/#resolve */
export const resolveReport = endpoint({
  ...onReport,
  path: '/api/v1/admin/reports/:id/resolve',
  summary: 'Mark a report as resolved',
  body: z.object(ifUnresolved),
  errors: [409],
  handler: async (ctx, { params: { id }, body }) => {
    if (body.if_unresolved === true) await resolveOnce(ctx, id, ctx.viewer);
    return handleReport(ctx, id, (state) => decideResolve(state, { account_id: ctx.viewer.account_id }));
  },
});
/** https://docs.joinmastodon.org/methods/admin/reports/#reopen */
export const reopenReport = handling(
  '/api/v1/admin/reports/:id/reopen',
  'Open a resolved report again',
  decideReopen,
);

/** Pure. @throws RookeryError `not_found` */
export function decideAssign(state: Report, account_id: Id): ReportEvent[] {
  const { id, assigned } = requireFiled(state);
  return assigned === account_id ? [] : [{ type: 'ReportAssigned', data: { id, account_id } }];
}

/** `account_id` is null for the operator. Pure. @throws RookeryError `not_found` */
export function decideUnassign(state: Report, account_id: Id | null): ReportEvent[] {
  const { id, assigned } = requireFiled(state);
  return assigned === null ? [] : [{ type: 'ReportUnassigned', data: { id, account_id } }];
}

/**
 * `account_id` is null for the operator; `after_id` is a new id. Pure. @throws RookeryError `not_found`
 */
export function decideReopen(state: Report, account_id: Id | null, after_id: Id): ReportEvent[] {
  const { id, resolved } = requireFiled(state);
  return resolved ? [{ type: 'ReportReopened', data: { id, account_id, after_id } }] : [];
}
