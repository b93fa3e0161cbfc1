import { InvalidArgumentError } from 'commander';
import { recordMaintenance } from '#commands/admin/audit/index.ts';
import type { MaintenanceTask } from '#events/audit.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { LARGEST_ID } from '#kernel/ids.ts';
import type { Operator } from './operator.ts';
import { confirm } from './output.ts';
import { countProgress } from './progress.ts';

/** Items that are changed at the same time: enough that their appends share commits. */
const AT_ONCE = 20;
/** Changed items after which the read models catch up, so that they are never far behind. */
const CATCH_UP_EVERY = 2_000;

/** A run over many accounts or posts, which is recorded once, for auditors. */
export interface Maintenance<Item> {
  task: MaintenanceTask;
  /** The options of the user, as they are recorded. */
  options: Readonly<Record<string, string>>;
  /** The past participle for the report: `Removed`. */
  done: string;
  unit: string;
  items: AsyncIterable<Item>;
  /** Tells whether an item is to be changed, also with `dryRun`; all are unless given. */
  wanted?: ((item: Item) => Promise<boolean>) | undefined;
  /** Changes one item. @returns whether anything changed */
  act: (ctx: CommandContext, item: Item) => Promise<boolean>;
  /** Only counts. */
  dryRun?: boolean | undefined;
}

/**
 * Runs maintenance in the name of an automation, so that the audit has one entry for it. An item that is
 * refused is skipped.
 */
export async function maintain<Item>(
  { app, ctx, catchUp }: Operator,
  { task, options, done, unit, items, wanted, act, dryRun = false }: Maintenance<Item>,
): Promise<number> {
  const system = app.systemContext('maintenance');
  const progress = countProgress(dryRun ? 'Counted' : done, unit);
  const counts = { changed: 0, skipped: 0 };
  const change = async (item: Item): Promise<void> => {
    if (wanted && !(await wanted(item))) return;
    const changed = dryRun || (await act(system, item).catch(skipRefused));
    counts[changed ? 'changed' : 'skipped'] += 1;
    progress.update(counts.changed);
  };
  let batch: Item[] = [];
  let caughtUp = 0;
  const flush = async (): Promise<void> => {
    await Promise.all(batch.map(change));
    batch = [];
    if (counts.changed - caughtUp < CATCH_UP_EVERY || dryRun) return;
    caughtUp = counts.changed;
    await catchUp();
  };
  try {
    for await (const item of items) {
      batch.push(item);
      if (batch.length === AT_ONCE) await flush();
    }
    await flush();
  } finally {
    progress.stop();
    if (!dryRun) await recordMaintenance(ctx, { task, options: { ...options }, changed: counts.changed });
  }
  await catchUp();
  confirm(`${dryRun ? 'Would change' : done} ${counts.changed} ${unit}, skipped ${counts.skipped}`, counts);
  return counts.changed;
}

function skipRefused(error: unknown): boolean {
  if (!isRookeryError(error) || error.code === 'unavailable') throw error;
  return false;
}

/** Parses an option that is a number of days. @throws InvalidArgumentError */
export function parseDays(text: string): number {
  if (!/^[0-9]{1,5}$/.test(text)) throw new InvalidArgumentError('must be a number of days.');
  return Number(text);
}

/** Returns the time so many days ago, ISO 8601. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

/**
 * Yields a list that is read newest first; `read` returns the items with ids below `before`. It reads until
 * nothing is left, also after a short page: the removal of an item may make an older one removable.
 */
export async function* eachBelow<Item extends { id: string }>(
  read: (before: string, limit: number) => Promise<readonly Item[]>,
): AsyncGenerator<Item> {
  const PAGE = 500;
  for (let before = LARGEST_ID; ;) {
    const page = await read(before, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    before = last.id;
  }
}
