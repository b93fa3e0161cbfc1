import { MAX_REPORTED_STATUSES, reportStream } from '#events/reports.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { flaggedStatuses } from '#queries/reports/index.ts';
import { decideFile, MAX_COMMENT, report } from '../reports/index.ts';
import { claimUri } from './claims.ts';

/** A report by another server. */
export interface Flag {
  /** The report's URI: the same report is filed once. */
  name: string;
  /** The account that reports. */
  accountId: Id;
  /** The host in that account's URI. */
  host: string;
  /** A local account, and its reported posts. */
  targetId: Id;
  statusIds: readonly Id[];
  comment: string;
}

/**
 * Files a report. Omits posts that no account of that server could see. A stop after the claim of its name
 * leaves an id without a report; when the activity comes again, the report is filed under that id.
 */
export async function fileFlag(ctx: CommandContext, flag: Flag): Promise<void> {
  const { accountId, targetId } = flag;
  const ids = flag.statusIds.slice(0, MAX_REPORTED_STATUSES);
  const statuses = await flaggedStatuses(ctx.db, targetId, ids, flag.host);
  const id = await claimUri(ctx, `${flag.name} ${targetId}`, 'report', ctx.newId());
  if (id === undefined) return;
  const command = {
    id,
    account_id: accountId,
    target_account_id: targetId,
    input: {
      account_id: targetId,
      status_ids: [],
      collection_ids: [],
      rule_ids: [],
      category: 'other',
      comment: [...flag.comment].slice(0, MAX_COMMENT).join(''),
    },
  };
  await ctx.execute(reportStream(id), report, (state) =>
    state.state === 'none' ? decideFile(state, command, { statuses, rules: new Set() }) : [],
  );
}
