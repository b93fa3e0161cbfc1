import type { QuotaItem } from '#events/quotas.ts';
import type { Id } from '#kernel/ids.ts';
import type { Quota } from './execute.ts';

/** A quota of things that take one place each. */
interface Count<State> extends Pick<Quota<State, number>, 'name' | 'ownerId'> {
  /** Returns the thing that a change adds to those that count, or undefined. Pure. */
  added: (before: State, after: State) => Id | undefined;
  /** Counts the things in the read models without these. */
  besides: (ids: readonly Id[]) => Promise<number>;
  /** Pure. @throws RookeryError `invalid` past the maximum */
  check: (count: number) => void;
}

export const countQuota = <State>({
  name,
  ownerId,
  added,
  besides,
  check,
}: Count<State>): Quota<State, number> => ({
  name,
  ownerId,
  taken: (before, after) => {
    const id = added(before, after);
    return id === undefined ? [] : [{ id }];
  },
  held: (items) => besides(distinct(items)),
  check: (held, items) => check(held + distinct(items).length),
});

/** Returns the distinct ids. */
export const distinct = (items: readonly QuotaItem[]): Id[] => [...new Set(items.map(({ id }) => id))];
