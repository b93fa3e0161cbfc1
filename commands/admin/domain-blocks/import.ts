import { useCase } from '#commands/use-case.ts';
import { domainBlockStream, type DomainRules } from '#events/admin-domain-blocks.ts';
import { eachAbove } from '#kernel/batches.ts';
import type { CommandContext, Instance } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import { domainAllowsAbove } from '#queries/admin/domain-allows.ts';
import { domainBlocksAbove } from '#queries/admin/domain-blocks/index.ts';
import { followsEndingWith } from '#queries/domain-blocks/index.ts';
import { allowDomain } from '../domain-allows/index.ts';
import { changeDomainBlock, DEFAULT_RULES } from './change.ts';
import { decideBlock, domainBlock } from './domain-block.ts';
import { type DomainList, type ListedDomain, readDomainList } from './domain-list.ts';
import { type Merge, planBlocks, type Step } from './domain-plan.ts';

/** A list in the form of Mastodon's export, or one domain a line. */
export interface ListToImport {
  text: string;
  /** The domains of this server, which no list may name. */
  own: readonly string[];
  /** A list of allowed domains, instead of one of blocks. */
  allows: boolean;
  merge: Merge;
}

export interface ImportPlan extends Pick<DomainList, 'invalid'> {
  steps: Step[];
}

/**
 * Compares a list with the existing rules, and changes nothing. @throws RookeryError `invalid` for text that
 * is no table
 */
export async function planImport(
  db: Db,
  { text, own, allows, merge }: ListToImport,
  { most }: { most?: number } = {},
): Promise<ImportPlan> {
  const { listed, invalid } = readDomainList(text, own, most);
  const steps = allows
    ? planAllows(listed, await allowedDomains(db))
    : planBlocks(listed, await domainRules(db), merge);
  return { steps, invalid };
}

/** Returns the domains of this server, without their port. */
export const ownDomains = ({ domain, origin }: Pick<Instance, 'domain' | 'origin'>): string[] =>
  [domain, new URL(origin).host].map((each) => each.replace(/:\d+$/, ''));

const planAllows = (listed: readonly ListedDomain[], allowed: ReadonlySet<string>): Step[] =>
  listed.map(({ line, domain }) =>
    allowed.has(domain) ? { line, domain, kind: 'unchanged' } : { line, domain, kind: 'added', rules: {} },
  );

/** Returns the rules of every blocked domain. */
export async function domainRules(db: Db): Promise<Map<string, DomainRules>> {
  const blocks = new Map<string, DomainRules>();
  for await (const { domain, ...block } of eachAbove((after, limit) => domainBlocksAbove(db, after, limit))) {
    blocks.set(domain, block);
  }
  return blocks;
}

/** Returns every allowed domain. */
export async function allowedDomains(db: Db): Promise<Set<string>> {
  const allowed = new Set<string>();
  for await (const { domain } of eachAbove((after, limit) => domainAllowsAbove(db, after, limit))) {
    allowed.add(domain);
  }
  return allowed;
}

/** Returns the number of follows that each new suspension of a plan would end; other domains are absent. */
export const followsEndedBy = (db: Db, steps: readonly Step[]): Promise<ReadonlyMap<string, number>> =>
  followsEndingWith(
    db,
    steps.flatMap((step) => (suspends(step) ? [step.domain] : [])),
  );

const suspends = (step: Step): boolean => step.kind !== 'unchanged' && step.rules.severity === 'suspend';

/** Blocks a domain of a plan, which has compared it with the blocks of its parents. @throws RookeryError `conflict` */
const blockPlanned = useCase({
  prepare: (ctx, { domain, rules }: { domain: string; rules: Partial<DomainRules> }) => ({
    ...DEFAULT_RULES,
    ...rules,
    id: ctx.newId(),
    domain,
  }),
  stream: ({ domain }) => domainBlockStream(domain),
  decider: domainBlock,
  decide: decideBlock,
});

/** Takes a step of a plan. Returns the reason when it is refused because the domain changed meanwhile. */
export async function takeStep(
  ctx: CommandContext,
  step: Step,
  allows: boolean,
): Promise<string | undefined> {
  const { domain } = step;
  try {
    if (step.kind === 'added') {
      await (allows ? allowDomain(ctx, domain) : blockPlanned(ctx, { domain, rules: step.rules }));
    } else if (step.kind === 'changed') await changeDomainBlock(ctx, { domain, rules: step.rules });
    return undefined;
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    return `${domain}: ${error.message}`;
  }
}
