import type { TransparencyPeriod } from '#mastodon/schemas/index.ts';
import { DECIDING_GROUPS, GROUNDS, SMALLEST_LINE } from '#mastodon/transparency.ts';
import { median, total } from './counting.ts';
import type { AppealFact } from './facts.ts';

type Appeals = TransparencyPeriod['appeals'];
type Outcome = Omit<Appeals['by_ground'][number], 'ground'>;

/** Counts appeals, also by the ground and the group of the appealed decision. */
export const appealsOf = (facts: readonly AppealFact[]): Appeals => ({
  filed: total(facts),
  pending: inState(facts, 'pending'),
  approved: inState(facts, 'approved'),
  rejected: inState(facts, 'rejected'),
  withdrawn: inState(facts, 'withdrawn'),
  median_seconds: median(facts),
  by_ground: byGround(facts),
  by_group: byGroup(facts),
});

function byGround(facts: readonly AppealFact[]): Appeals['by_ground'] {
  const lines = GROUNDS.map((ground) => ({ ground, of: facts.filter((fact) => fact.ground === ground) }));
  const { large, small } = apart(lines, total);
  return [
    ...large.map(({ ground, of }) => ({ ground, ...outcomeOf(of) })),
    ...(small.length === 0 ? [] : [{ ground: 'merged' as const, ...outcomeOf(small) }]),
  ];
}

function byGroup(facts: readonly AppealFact[]): Appeals['by_group'] {
  const lines = DECIDING_GROUPS.flatMap((group) => {
    const ofGroup = facts.filter(({ decided }) => decided.group === group);
    const roles = [...new Set(ofGroup.map(({ decided }) => decided.role))].toSorted();
    return roles.map((role) => ({ group, role, of: ofGroup.filter(({ decided }) => decided.role === role) }));
  });
  const { large, small } = apart(lines, people);
  return [
    ...large.map(({ group, role, of }) => ({ group, role, ...outcomeOf(of) })),
    ...(small.length === 0 ? [] : [{ group: 'merged' as const, role: null, ...outcomeOf(small) }]),
  ];
}

/** Returns the number of people who decided. An automation is no person, so each of its decisions counts. */
function people(facts: readonly AppealFact[]): number {
  const byAutomation = facts.filter(({ decided }) => decided.by === null);
  const names = new Set(facts.flatMap(({ decided }) => decided.by ?? []));
  return names.size + total(byAutomation);
}

/**
 * Separates the lines that are large enough from the facts of all others. The total is public too, so the others
 * together must be large enough as well: otherwise the smallest of the large lines joins them.
 */
function apart<Line extends { of: readonly AppealFact[] }>(
  lines: readonly Line[],
  sizeOf: (facts: readonly AppealFact[]) => number,
): { large: Line[]; small: AppealFact[] } {
  const bySize = lines.toSorted((one, other) => sizeOf(other.of) - sizeOf(one.of));
  const large = bySize.filter(({ of }) => sizeOf(of) >= SMALLEST_LINE);
  const small = bySize.slice(large.length).flatMap(({ of }) => of);
  while (small.length > 0 && sizeOf(small) < SMALLEST_LINE && large.length > 0)
    small.push(...(large.pop()?.of ?? []));
  return { large: lines.filter((line) => large.includes(line)), small };
}

const inState = (facts: readonly AppealFact[], state: AppealFact['state']): number =>
  total(facts.filter((fact) => fact.state === state));

const outcomeOf = (facts: readonly AppealFact[]): Outcome => ({
  filed: total(facts),
  kept: inState(facts, 'rejected'),
  overturned: inState(facts, 'approved'),
  median_seconds: median(facts),
});
