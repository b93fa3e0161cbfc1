import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { formInteger, wordText } from '#kernel/input.ts';
import { mayDo } from '#mastodon/permissions.ts';
import { REPLAY_KINDS, replaySchema } from '#mastodon/schemas/index.ts';
import { historyOf, streamsOf } from './history.ts';
import { namesIn } from './names.ts';
import { replay } from './replay.ts';
import { stepsShown } from './step.ts';
import { isSetting } from './steps.ts';
import type { Subject } from './view.ts';
import type { World } from './world.ts';

export const STAFF = {
  method: 'GET',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_audit_log',
  recorded: true,
} as const;

const DEFAULT_STEPS = 40;
const MAX_STEPS = 200;
const LAST_STEP = 1_000_000;

/**
 * Replays the history of one thing from its own streams: the state after a step, the changes by it, and the
 * steps around it. It costs some lookups of streams, at any length of the log.
 */
export const showReplay = endpoint({
  ...STAFF,
  path: '/api/v1/admin/audit/subjects/:kind/:id',
  summary: 'Replay the history of an account, a post, a report, a domain, a rule or a setting',
  params: z.object({
    kind: wordText(REPLAY_KINDS, 20).describe(
      'One of `account`, `status`, `report`, `domain`, `rule`, `setting`.',
    ),
    id: z.string().max(500).describe('An ID, the name of a domain, or the name of a setting.'),
  }),
  query: z.object({
    step: formInteger(0, LAST_STEP)
      .optional()
      .describe('The step to show; 0 is before the first, and the last is the default.'),
    limit: formInteger(1, MAX_STEPS).optional().describe('The number of steps that are listed around it.'),
  }),
  reply: replaySchema,
  errors: [404],
  handler: async (ctx, { params, query: { step, limit } }) => {
    const subject = subjectOf(params);
    const history = await historyOf(ctx, subject);
    const part = replay(history, subject, {
      step: step ?? undefined,
      limit: limit ?? DEFAULT_STEPS,
      readsReports: mayDo(ctx.viewer.role, 'manage_reports'),
    });
    const { count, step: shown, state, changes, end } = part;
    const steps = await stepsShown(ctx.db, part);
    const names = await namesIn(ctx.db, state, { changes, steps });
    return {
      json: {
        ...subject,
        name: nameOf(subject, end),
        count,
        step: shown,
        state,
        changes,
        steps,
        names,
        left_out: history.leftOut,
      },
    };
  },
});

/** @throws RookeryError `not_found` for an unknown kind, and for an id that is none */
function subjectOf({ kind, id }: { kind: string; id: string }): Subject {
  const known = REPLAY_KINDS.find((each) => each === kind);
  if (known === undefined) throw notFound();
  const subject: Subject = { kind: known, id };
  const isName = known === 'setting' ? isSetting(id) : known !== 'rule' || /^[1-9][0-9]{0,6}$/.test(id);
  if (!isName || !streamsOf(subject)) throw notFound();
  return subject;
}

function nameOf({ kind, id }: Subject, { accounts, rules }: World): string {
  const account = kind === 'account' ? accounts.get(id) : undefined;
  if (account) return account.domain === null ? account.username : `${account.username}@${account.domain}`;
  return (kind === 'rule' ? rules.get(id)?.text : undefined) ?? id;
}
