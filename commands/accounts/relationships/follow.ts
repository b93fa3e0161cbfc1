import { z } from 'zod';
import { distinct, executeWithinQuota, type Quota } from '#commands/quotas/index.ts';
import {
  checkFollowLimit,
  decideFollow,
  directionOf,
  followLimit,
  type FollowSettings,
  relationship,
  type RelationshipState,
} from '#commands/relationships/index.ts';
import { relationshipStream } from '#events/relationships.ts';
import type { CommandContext, UserContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { invalid } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { formBoolean, formStringArray, idParams, isIndex } from '#kernel/input.ts';
import type { Db } from '#kernel/read.ts';
import { isListedCode } from '#mastodon/languages.ts';
import { relationshipSchema } from '#mastodon/schemas/index.ts';
import { followCounts, followFacts, followIsNew, relationshipOf } from '#queries/accounts/index.ts';

/** Other fields ignore a hash; as in Mastodon, this one does not. */
const noHash = (value: readonly string[] | string | null, problems: z.RefinementCtx): unknown => {
  if (typeof value === 'object' && value !== null && !Object.keys(value).every(isIndex))
    problems.addIssue('is invalid');
  return value;
};

const body = z.object({
  reblogs: formBoolean
    .optional()
    .describe('Whether reblogs of the account appear in the home timeline; true for a new follow.'),
  notify: formBoolean
    .optional()
    .describe('Whether each new status of the account makes a notification; false for a new follow.'),
  languages: z
    .preprocess(noHash, formStringArray(200, 35, { alone: true }).nullable())
    .optional()
    .describe(
      'Codes of the languages whose statuses appear in the home timeline; an empty list stands for all.',
    ),
});

export const followAccount = endpoint({
  method: 'POST',
  path: '/api/v1/accounts/:id/follow',
  summary: 'Follow an account, or change the settings of a follow',
  auth: 'user',
  scopes: ['write:follows', 'follow'],
  params: idParams,
  body,
  limit: 'follows',
  countsWhen: (ctx, { params }) => isNewFollow(ctx, params.id),
  reply: relationshipSchema,
  handler: async (ctx, { params, body: input }) => {
    await follow(ctx, params.id, settingsOf(input));
    return { json: await relationshipOf(ctx, params.id) };
  },
});

/**
 * Tells whether the user neither follows an account nor has asked to. The settings of an existing follow may
 * change at any time.
 */
export async function isNewFollow(ctx: UserContext, targetId: Id): Promise<boolean> {
  return followIsNew(ctx.db, ctx.viewer.account_id, targetId);
}

/** Follows in the name of the request's user. @throws RookeryError see `decideFollow` */
export const follow = (
  ctx: UserContext,
  targetId: string,
  settings: Partial<FollowSettings>,
): Promise<void> => followAs(ctx, ctx.viewer.account_id, targetId, settings);

/** Follows in the name of a local account. @throws RookeryError see `decideFollow` */
export async function followAs(
  ctx: CommandContext,
  accountId: Id,
  targetId: Id,
  settings: Partial<FollowSettings>,
): Promise<void> {
  const facts = await followFacts(ctx.db, accountId, targetId);
  const command = { id: ctx.newId(), account_id: accountId, target_account_id: targetId, settings };
  const stream = relationshipStream(accountId, targetId);
  const decide = (state: RelationshipState) => decideFollow(state, command, facts);
  // Few accounts come close enough to the limit to need an exact count.
  if (facts.following + AT_ONCE < followLimit(facts.followers)) {
    await ctx.execute(stream, relationship, decide);
  } else {
    const quota = followQuota(ctx.db, accountId, targetId);
    await executeWithinQuota(ctx, { stream, decider: relationship, decide, quota });
  }
}

/** Concurrent follows near the limit: as many requests as an account has in five minutes. */
const AT_ONCE = 300;

const followQuota = (
  db: Db,
  ownerId: string,
  targetId: string,
): Quota<RelationshipState, { following: number; followers: number }> => {
  const follows = (state: RelationshipState): boolean => {
    const { following, requested } = directionOf(state, ownerId);
    return following !== undefined || requested !== undefined;
  };
  return {
    name: 'follows',
    ownerId,
    taken: (before, after) => (follows(after) && !follows(before) ? [{ id: targetId }] : []),
    held: (items) => followCounts(db, ownerId, distinct(items)),
    check: ({ following, followers }, items) =>
      checkFollowLimit(following + distinct(items).length, followers),
  };
};

/**
 * Returns only the given settings. An empty list of languages means all, like null, which only a new follow
 * has.
 */
function settingsOf({ reblogs, notify, languages }: z.output<typeof body>): Partial<FollowSettings> {
  const settings: Partial<FollowSettings> = {};
  if (typeof reblogs === 'boolean') settings.reblogs = reblogs;
  if (typeof notify === 'boolean') settings.notify = notify;
  if (languages) settings.languages = checkedLanguages(languages);
  return settings;
}

/** @throws RookeryError `invalid` for a language that is not on the list */
function checkedLanguages(codes: string[]): string[] {
  if (codes.every(isListedCode)) return codes;
  throw invalid('Validation failed: Languages is invalid', {
    languages: [{ error: 'ERR_INVALID', description: 'is invalid' }],
  });
}
