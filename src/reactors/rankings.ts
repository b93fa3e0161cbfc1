import { requestReviews } from '#commands/trends/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { MAIN } from '#kernel/projection.ts';
import { timer } from '#kernel/reactor.ts';
import { timeAfter } from '#kernel/time.ts';
import { type RankingKind, RANKINGS } from '#queries/rankings/index.ts';
import { rankingTimes, storeRanking } from './stored-rankings.ts';

/** Milliseconds; Mastodon counts trends as often. */
const EVERY = 5 * 60_000;
/** Milliseconds; Mastodon asks staff as often. */
const ASK_EVERY = 6 * 3_600_000;
/** Requests to staff take a turn beside the rankings, and have no keys. */
const REVIEWS = 'reviews';
export const RANKING_TURNS = [...(Object.keys(RANKINGS) as RankingKind[]), REVIEWS] as const;
type Kind = (typeof RANKING_TURNS)[number];

/** Counts popular items ahead of the requests that show them, and asks staff about new trends. */
export const rankingTimer = timer({
  name: 'rankings',
  wakes: [],
  reads: [MAIN],
  due: async (db, now, except) => {
    const times = await rankingTimes(db, RANKING_TURNS);
    const turns = RANKING_TURNS.map((kind) => ({
      kind,
      at: timeAfter(times.get(kind) ?? EPOCH, kind === REVIEWS ? ASK_EVERY : EVERY),
    }));
    // The turn is part of the key, so that the next turn is another row.
    const rows = turns
      .filter(({ at }) => at <= now)
      .map(({ kind, at }) => ({ key: `${kind} ${at}`, kind }))
      .filter(({ key }) => !except.includes(key));
    const next = turns.map(({ at }) => at).filter((at) => at > now);
    return { rows, next: next.sort()[0] ?? timeAfter(now, EVERY) };
  },
  fire: (ctx, { kind }) => rank(ctx, kind),
});

const EPOCH = new Date(0).toISOString();

/** Makes one ranking anew, or asks staff to review trends. */
export async function rank(ctx: CommandContext, kind: Kind): Promise<void> {
  const keys = kind === REVIEWS ? [] : await RANKINGS[kind](ctx.db, ctx.now);
  if (kind === REVIEWS) await requestReviews(ctx);
  await storeRanking(ctx.db, kind, { keys, now: ctx.now });
}
