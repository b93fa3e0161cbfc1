import { writeFile } from 'node:fs/promises';
import {
  ALLOW_HEADER,
  allowedDomains,
  domainRules,
  followsEndedBy,
  LIST_HEADER,
  listLine,
  type Merge,
  ownDomains,
  planImport,
  type Step,
  takeStep,
} from '#commands/admin/domain-blocks/index.ts';
import { csvLine } from '#mastodon/csv.ts';
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
  const own = ownDomains(app.instance);
  await catchUp();
  const { steps, invalid } = await planImport(app.db, { text, own, allows, merge });
  for (const { line, reason } of invalid) tell(line, reason);
  const counts = { added: 0, changed: 0, unchanged: 0, invalid: invalid.length };
  if (dryRun) await show(app, steps);
  for (const step of steps) {
    const refused = dryRun ? undefined : await takeStep(ctx, step, allows);
    if (refused !== undefined) tell(step.line, refused);
    counts[refused === undefined ? step.kind : 'invalid'] += 1;
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
    ? [ALLOW_HEADER, ...[...(await allowedDomains(app.db))].map((domain) => csvLine([domain]))]
    : [LIST_HEADER, ...[...(await domainRules(app.db))].map(([domain, rules]) => listLine(domain, rules))];
  if (file === undefined) process.stdout.write(lines.join(''));
  else await writeFile(file, lines.join(''), { flag: 'wx' });
}

/** Prints each change on a line, with the number of follows that a new suspension ends. */
async function show(app: Operator['app'], steps: readonly Step[]): Promise<void> {
  const follows = await followsEndedBy(app.db, steps);
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

const tell = (line: number, reason: string): void => void process.stderr.write(`line ${line}: ${reason}\n`);
