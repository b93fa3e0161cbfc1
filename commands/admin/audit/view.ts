import { LRUCache } from 'lru-cache';
import { type AuditViewedEvent, auditViewStream } from '#events/audit.ts';
import type { RequestContext } from '#kernel/context.ts';
import type { Decider } from '#kernel/decider.ts';
import { atMost } from '#kernel/lru.ts';

/** Recorded filters of one reader per hour; the last entry says that there were more. */
const MAX_FILTERS = 50;
const HOUR = 3_600_000;
/** Paging parameters do not describe what the reader looks for. */
const PAGING = new Set(['max_id', 'min_id', 'since_id', 'limit', 'step']);

/** Stream `audit-view-<account>-<hour>`: the filters of that hour, as JSON. */
export const auditView: Decider<ReadonlySet<string>, AuditViewedEvent> = {
  initialState: new Set(),
  evolve: (seen, { data }) => new Set([...seen, JSON.stringify(data.filter)]),
};

/** Decides one event per filter, up to the maximum. Pure. */
export function decideView(
  seen: ReadonlySet<string>,
  data: Omit<AuditViewedEvent['data'], 'more'>,
): AuditViewedEvent[] {
  if (seen.has(JSON.stringify(data.filter)) || seen.size >= MAX_FILTERS) return [];
  return [{ type: 'AuditViewed', data: { ...data, more: seen.size === MAX_FILTERS - 1 } }];
}

/**
 * Records readers of the audit log before the reply: once an hour for each filter, for any page, so that
 * neither frequent requests nor paging flood the log.
 */
export class AuditViews {
  /** The recorded filters of this process, which every page looks up. */
  readonly #recorded = new LRUCache<string, true>({ ...atMost(10_000), ttl: HOUR });

  /**
   * @param asked the parameters of the request, or the id of the entry @throws RookeryError `unavailable`
   * during an outage of the log
   */
  async record(ctx: RequestContext, asked: Readonly<Record<string, unknown>>): Promise<void> {
    const account_id = ctx.viewer?.account_id;
    if (account_id === undefined) return;
    const filter = filterIn(asked);
    const hour = Math.floor(Date.parse(ctx.now) / HOUR);
    const key = `${account_id} ${hour} ${JSON.stringify(filter)}`;
    if (this.#recorded.has(key)) return;
    await ctx.execute(auditViewStream(account_id, hour), auditView, (seen) =>
      decideView(seen, { account_id, filter }),
    );
    this.#recorded.set(key, true);
  }
}

/** Normalises a filter: empty parameters and their order do not matter. */
function filterIn(asked: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(asked).flatMap(([name, value]): [string, string][] => {
    const text = Array.isArray(value)
      ? [...new Set(value.map(String))].sort().join(',')
      : value === true
        ? 'true'
        : value;
    return typeof text === 'string' && text !== '' && !PAGING.has(name) ? [[name, text]] : [];
  });
  return Object.fromEntries(given.sort(([one], [other]) => (one < other ? -1 : 1)));
}
