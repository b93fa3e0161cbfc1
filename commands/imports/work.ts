import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { pause } from '#kernel/pause.ts';
import type { Import } from '#kernel/services/imports.ts';
import type { ImportType } from '#mastodon/portability.ts';
import { applyRow } from './apply.ts';
import { chooseLists, makeLists } from './lists.ts';
import { Lookup } from './lookup.ts';
import { removeOthers } from './remove-others.ts';

/** The name of jobs that run imports; `import_id` names the import. */
export const IMPORT_JOB = 'data-import';

/** How fast an import goes. */
interface Pace {
  /** Rows in a batch, which are applied at once: other users wait for so many. */
  rows: number;
  /** The least duration of a batch, in milliseconds. */
  time: number;
  /** Batches per job: a job that a crash ends has few retries, and a long file would meet more crashes. */
  batches: number;
}

/** 20 rows a second leave room for other lookups of remote accounts. */
const WITH_LOOKUPS: Pace = { rows: 10, time: 500, batches: 20 };
/** Domains need no lookup and notify no other user: 200 rows a second. */
const DOMAINS: Pace = { rows: 20, time: 100, batches: 100 };
const paceOf = (type: ImportType): Pace => (type === 'domain-blocks' ? DOMAINS : WITH_LOOKUPS);

/** Queues work on an import; a repeat does no harm. */
export const enqueueImport = (ctx: CommandContext, id: Id): Promise<void> =>
  ctx.services.jobs.enqueue(IMPORT_JOB, { import_id: id }, { singletonKey: id });

/**
 * Runs a part of an import, and returns whether more remains. Results are stored row by row, and a row may be
 * applied twice, so it continues after a crash.
 * @param last the last try: failures are stored
 */
export async function continueImport(
  ctx: CommandContext,
  id: Id,
  { signal, last }: { signal: AbortSignal; last: boolean },
): Promise<void> {
  const { imports } = ctx.services;
  const found = await imports.find(id);
  if (!found || found.finished_at !== null) return;
  if (found.prepared_at === null) await prepare(ctx, found, signal);
  else if (await applySome(ctx, found, { signal, last })) return imports.finish(id);
  await enqueueImport(ctx, id);
}

async function prepare(ctx: CommandContext, of: Import, signal: AbortSignal): Promise<void> {
  if (of.overwrite) await removeOthers(ctx, of, signal);
  await ctx.services.imports.prepared(of.id, of.type === 'lists' ? await chooseLists(ctx, of) : null);
}

/** @returns whether the import is complete */
async function applySome(
  ctx: CommandContext,
  of: Import,
  { signal, last }: { signal: AbortSignal; last: boolean },
): Promise<boolean> {
  const lookup = new Lookup(ctx);
  await makeLists(ctx, of);
  const { batches, time } = paceOf(of.type);
  for (let batch = 0; batch < batches; batch += 1) {
    signal.throwIfAborted();
    const begun = performance.now();
    const isLast = await applyBatch(ctx, of, lookup, last);
    if (isLast) return true;
    await pause(Math.max(0, time - (performance.now() - begun)), signal);
  }
  return false;
}

async function applyBatch(ctx: CommandContext, of: Import, lookup: Lookup, last: boolean): Promise<boolean> {
  const { imports } = ctx.services;
  const size = paceOf(of.type).rows;
  const rows = await imports.waiting(of.id, size);
  if (rows.length === 0) return true;
  const targets = await lookup.targets(of.type, rows);
  const tried = await Promise.allSettled(rows.map((row) => applyRow(ctx, of, row, targets)));
  // A row counts as done when its effect is visible.
  await ctx.waitForReadModels();
  const outcomes = rows.flatMap(({ line }, index) => {
    const outcome = tried[index];
    if (outcome?.status === 'fulfilled') return [{ line, reason: outcome.value }];
    return last ? [{ line, reason: 'This could not be done now; try it again later' }] : [];
  });
  await imports.record(of.id, outcomes);
  const failure = tried.find((outcome) => outcome.status === 'rejected');
  if (failure && !last) throw failure.reason;
  return rows.length < size;
}
