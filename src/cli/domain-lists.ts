import { writeFile } from 'node:fs/promises';
import { allowDomain } from '../../commands/admin/domain-allows/index.ts';
import { changeDomainBlock, imposeDomainBlock } from '../../commands/admin/domain-blocks/index.ts';
import { domainAllowsAbove } from '../../queries/admin/domain-allows.ts';
import { domainBlocksAbove } from '../../queries/admin/domain-blocks/index.ts';
import { followsEndingWith } from '../../queries/domain-blocks/index.ts';
import type { DomainRules } from '../events/admin-domain-blocks.ts';
import { eachAbove } from '../kernel/batches.ts';
import type { CommandContext } from '../kernel/context.ts';
import { isRookeryError } from '../kernel/errors.ts';
import { csvLine } from '../mastodon/csv.ts';
import { ALLOW_HEADER, LIST_HEADER, listLine, readDomainList, type ListedDomain } from './domain-list.ts';
import { planBlocks, type Merge, type Step } from './domain-plan.ts';
import { readFileOf } from './files.ts';
import type { Operator } from './operator.ts';
import { confirm, printResult, printRow } from './output.ts';

export interface ImportOptions {
  merge?: Merge;
  allows?: boolean;
  dryRun?: boolean;
}

/**
 * `rookery domains import`. Reads the whole file and compares it with the existing rules before it changes
 * anything. It reports each unusable line, applies the others, and fails at the end.
 */
export async function importDomains(
  { app, ctx, catchUp }: Operator,
  file: string,
  { merge = 'stricter', allows = false, dryRun = false }: ImportOptions,
): Promise<void> {
  const text = (await readFileOf(file)).toString('utf8');
  const { localDomain, webDomain } = app.config.site;
  const own = [localDomain, webDomain].map((domain) => domain.replace(/:\d+$/, ''));
  const { listed, invalid } = readDomainList(text, own);
  await catchUp();
  const steps = allows
    ? planAllows(listed, await allowsOf(app))
    : planBlocks(listed, await blocksOf(app), merge);
  for (const { line, reason } of invalid) tell(line, reason);
  const counts = { added: 0, changed: 0, unchanged: 0, invalid: invalid.length };
  if (dryRun) await show(app, steps);
  for (const step of steps) {
    const done = dryRun || (await take(ctx, step, allows));
    counts[done ? step.kind : 'invalid'] += 1;
  }
  const { added, changed, unchanged } = counts;
  const [add, change] = dryRun ? ['Would add', 'change'] : ['Added', 'changed'];
  confirm(`${add} ${added}, ${change} ${changed}, unchanged ${unchanged}, invalid ${counts.invalid}`, counts);
  if (counts.invalid > 0) process.exitCode = 1;
  await catchUp();
}

/** `rookery domains export`. Never replaces an existing file. */
export async function exportDomains(
  { app, catchUp }: Operator,
  file: string | undefined,
  { allows = false }: { allows?: boolean },
): Promise<void> {
  await catchUp();
  const lines = allows
    ? [ALLOW_HEADER, ...[...(await allowsOf(app))].map((domain) => csvLine([domain]))]
    : [LIST_HEADER, ...[...(await blocksOf(app))].map(([domain, rules]) => listLine(domain, rules))];
  if (file === undefined) process.stdout.write(lines.join(''));
  else await writeFile(file, lines.join(''), { flag: 'wx' });
}

const planAllows = (listed: readonly ListedDomain[], allowed: ReadonlySet<string>): Step[] =>
  listed.map(({ line, domain }) =>
    allowed.has(domain) ? { line, domain, kind: 'unchanged' } : { line, domain, kind: 'added', rules: {} },
  );

async function blocksOf({ db }: Operator['app']): Promise<Map<string, DomainRules>> {
  const blocks = new Map<string, DomainRules>();
  for await (const { domain, ...block } of eachAbove((after, limit) => domainBlocksAbove(db, after, limit))) {
    blocks.set(domain, block);
  }
  return blocks;
}

async function allowsOf({ db }: Operator['app']): Promise<Set<string>> {
  const allowed = new Set<string>();
  for await (const { domain } of eachAbove((after, limit) => domainAllowsAbove(db, after, limit))) {
    allowed.add(domain);
  }
  return allowed;
}

/** Returns false, and prints the reason, when the change is refused because the domain changed meanwhile. */
async function take(ctx: CommandContext, step: Step, allows: boolean): Promise<boolean> {
  const { domain } = step;
  try {
    if (step.kind === 'added') {
      await (allows ? allowDomain(ctx, domain) : imposeDomainBlock(ctx, { domain, rules: step.rules }));
    } else if (step.kind === 'changed') await changeDomainBlock(ctx, { domain, rules: step.rules });
    return true;
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    tell(step.line, `${domain}: ${error.message}`);
    return false;
  }
}

/** Prints each change on a line, with the number of follows that a new suspension ends. */
async function show(app: Operator['app'], steps: readonly Step[]): Promise<void> {
  const suspended = steps.flatMap((step) => (suspends(step) ? [step.domain] : []));
  const follows = await followsEndingWith(app.db, suspended);
  for (const step of steps) {
    if (step.kind === 'unchanged') {
      if (step.by !== undefined) {
        printRow({ change: 'keep', domain: step.domain, rules: `blocked with ${step.by}` });
      }
      continue;
    }
    const said = Object.entries(step.rules).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    const change = step.kind === 'added' ? 'add' : 'change';
    printResult([change, step.domain, ...said].join('\t'), {
      change,
      domain: step.domain,
      rules: step.rules,
    });
    const ending = follows.get(step.domain) ?? 0;
    if (ending > 0) {
      printRow({ change: 'warning', domain: step.domain, warning: `${ending} follows would end` });
    }
  }
}

const suspends = (step: Step): boolean => step.kind !== 'unchanged' && step.rules.severity === 'suspend';

const tell = (line: number, reason: string): void => void process.stderr.write(`line ${line}: ${reason}\n`);
