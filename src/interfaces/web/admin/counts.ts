import type { Answer } from '#interfaces/http/own-calls.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { mayDo } from '#mastodon/permissions.ts';
import type { AdminTrouble, Waiting } from '#mastodon/schemas/index.ts';
import type { ConsoleCounts } from '../page/console-nav.ts';
import type { SignedInRequest } from '../page/page.ts';
import { ALERTS_PAGE, APPEALS, JOBS, PROJECTIONS, REACTORS, REPORTS, SIGN_UPS, TRENDS } from './addresses.ts';

interface State {
  waiting: Promise<Waiting | undefined>;
  trouble: Promise<AdminTrouble | undefined>;
}

/** The readings of a request, which the page and the menu share. */
const read = new WeakMap<SignedInRequest, State>();

/**
 * Reads what waits for staff and what is wrong now, once for a request. Both are undefined for roles that may not see
 * them, and while they cannot be read.
 */
export function stateFor(request: SignedInRequest): State {
  const { api, user } = request;
  const { role } = user;
  const none = Promise.resolve(undefined);
  const state = read.get(request) ?? {
    waiting: mayDo(role, 'view_dashboard') ? ifReadable(api('GET v1/admin/waiting')) : none,
    trouble: mayDo(role, 'view_devops') ? ifReadable(api('GET v1/admin/trouble')) : none,
  };
  read.set(request, state);
  return state;
}

/** Returns the counts of the console's menu, which a halted read model never keeps from showing. */
export async function menuCounts(request: SignedInRequest): Promise<ConsoleCounts> {
  const state = stateFor(request);
  const [waiting, trouble] = await Promise.all([state.waiting, state.trouble]);
  return { ...(waiting && countsOf(waiting)), ...(trouble && failuresOf(trouble)) };
}

const countsOf = ({ reports, sign_ups, appeals, trends }: Waiting): ConsoleCounts => ({
  [REPORTS]: reports?.unresolved ?? 0,
  [SIGN_UPS]: sign_ups ?? 0,
  [APPEALS]: appeals ?? 0,
  [TRENDS]: trends ? trends.tags + trends.links + trends.statuses : 0,
});

const failuresOf = ({ alerts_count, projections, reactors, timers }: AdminTrouble): ConsoleCounts => ({
  [ALERTS_PAGE]: alerts_count,
  [PROJECTIONS]: projections.length,
  [REACTORS]: reactors.reduce((sum, { dead_letters }) => sum + dead_letters, 0),
  [JOBS]: timers.length,
});

/** Returns the entity of an answer; undefined while the read models of its endpoint are halted or late. */
export async function ifReadable<Entity>(answer: Promise<Answer<Entity>>): Promise<Entity | undefined> {
  try {
    return (await answer).entity;
  } catch (error) {
    if (isRookeryError(error) && error.code === 'unavailable') return undefined;
    throw error;
  }
}
