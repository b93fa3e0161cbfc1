import { hash } from 'node:crypto';
import { fileFlag } from '#commands/federation/index.ts';
import { MAX_REPORTED_STATUSES } from '#events/reports.ts';
import { localAccounts, postsOfUris, reportsRejected } from '#queries/federation/index.ts';
import { idOf, listOf, naturalText } from '../remote/json.ts';
import { type Handler, senderOf } from './activity-context.ts';

/** Local accounts in one report. */
const MAX_ACCOUNTS = 5;
const MAX_COMMENT = 5_000;

/**
 * Files a report for each local account that it names. https://docs.joinmastodon.org/spec/activitypub/#Flag
 */
export const flag: Handler = async (context) => {
  const { ctx, instance, activity, known } = context;
  const { host } = new URL(activity.actor);
  if (await reportsRejected(ctx.db, known ? [host, known.domain] : [host])) return;
  const uris = listOf(activity.object, MAX_REPORTED_STATUSES + MAX_ACCOUNTS).flatMap(
    (one) => idOf(one) ?? [],
  );
  const [accounts, posts] = await Promise.all([
    localAccounts(ctx.db, uris),
    postsOfUris(ctx.db, instance, uris),
  ]);
  const targets = [...new Set([...accounts.map(({ id }) => id), ...posts.map((post) => post.account_id)])];
  if (targets.length === 0) return;
  const accountId = await senderOf(context);
  const name = activity.id ?? hash('sha256', JSON.stringify(activity.document));
  const said = (name: string): string => naturalText(activity.document, name, MAX_COMMENT).trim();
  // Lemmy puts the comment in the summary.
  const comment = said('content') || said('summary');
  await Promise.all(
    targets.slice(0, MAX_ACCOUNTS).map((targetId) => {
      const statusIds = posts.filter((post) => post.account_id === targetId).map(({ id }) => id);
      return fileFlag(ctx, { name, accountId, host, targetId, statusIds, comment });
    }),
  );
};
