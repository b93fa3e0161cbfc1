import type { DomainRules } from '#events/admin-domain-blocks.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import { withParents } from '#mastodon/domain-name.ts';
import { DEFAULT_RULES } from './change.ts';
import { isStricter, stricterOf } from './domain-block.ts';
import type { ListedDomain } from './domain-list.ts';

/**
 * `stricter` adds the rules of a list to the existing ones and never weakens them. `replace` puts the list in
 * their place.
 */
export type Merge = 'stricter' | 'replace';

export type Step = { domain: string; line: number } & (
  | { kind: 'added'; rules: Partial<DomainRules> }
  | { kind: 'changed'; rules: Partial<DomainRules>; from: DomainRules['severity'] }
  /** `by`: the parent domain whose block already says as much. */
  | { kind: 'unchanged'; by?: string }
);

/**
 * Plans the changes that a list of blocks makes to existing blocks, in the order of the list. A block of a
 * parent domain counts, also one that comes earlier in the list. Pure.
 */
export function planBlocks(
  listed: readonly ListedDomain[],
  existing: ReadonlyMap<string, DomainRules>,
  merge: Merge,
): Step[] {
  const holding = new Map(existing);
  return listed.map(({ line, domain, rules }): Step => {
    const own = holding.get(domain);
    if (own) {
      const changes = changedFields(own, merge === 'replace' ? rules : stricterOf(own, rules));
      if (!changes) return { line, domain, kind: 'unchanged' };
      holding.set(domain, { ...own, ...changes });
      return { line, domain, kind: 'changed', rules: changes, from: own.severity };
    }
    const block = { ...DEFAULT_RULES, ...rules };
    const by = withParents(domain).find((parent) => holding.has(parent));
    const above = by === undefined ? undefined : holding.get(by);
    if (by !== undefined && above && !isStricter(block, above)) {
      return { line, domain, kind: 'unchanged', by };
    }
    holding.set(domain, block);
    return { line, domain, kind: 'added', rules };
  });
}
