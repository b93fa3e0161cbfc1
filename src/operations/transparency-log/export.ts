import { RookeryError } from '#kernel/errors.ts';
import type { Db } from '#kernel/read.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { cutSubtrees, headingLine, isInside, MAX_PUBLISHED } from './export-heading.ts';
import { leafOf } from './leaf.ts';
import { logAltered, LogTree, type TreeSources } from './log-tree.ts';
import type { LeafRange } from './merkle.ts';
import { newestCheckpoint, publishedSizes } from './stored-checkpoints.ts';

const PAGE = 1_024;
export interface ExportOptions {
  /** Positions, inclusive. The default is all events of the checkpoint. */
  from?: bigint | undefined;
  until?: bigint | undefined;
  /** The signed checkpoint to compare the export with. */
  checkpoint: string;
  /** The signed notes of accepted divergences. */
  divergences?: readonly string[];
}

/**
 * Yields the lines of an export, with line ends: a heading, then the hashed leaf of each event (`leafOf`).
 * @throws RookeryError `not_found` without such events, `conflict` when the log ends before the checkpoint
 * does
 */
export async function* exportLog(
  sources: TreeSources,
  { from, until, checkpoint, divergences = [] }: ExportOptions,
): AsyncGenerator<string, void, undefined> {
  const tree = new LogTree(sources);
  const { size } = parseCheckpoint(checkpoint);
  const { count: first, position } = await tree.before(from ?? 0n);
  const end = until === undefined ? size : Math.min(await tree.countUpTo(until), size);
  if (first >= end) throw new RookeryError('not_found', 'The checkpoint covers no events at these positions');
  const newest = await newerThan(sources.db, size);
  const cuts = await publishedSizes(sources.db, MAX_PUBLISHED);
  const parts = [
    [0, first],
    [end, size],
    [size, newest?.size ?? size],
  ] as const;
  const published = cuts.filter((cut) => parts.some((part) => isInside(cut, part)));
  const [before = [], after = [], newer = []] = await hashesOfParts(tree, parts, published);
  yield headingLine({
    checkpoint,
    first,
    count: end - first,
    before,
    after,
    published,
    divergences,
    ...(newest && { newer: { checkpoint: newest.text, hashes: newer } }),
  });
  for await (const event of eventsOf(sources.store, position, end - first)) {
    yield `${leafOf(event)}\n`;
  }
}

async function newerThan(db: Db, size: number): Promise<{ size: number; text: string } | undefined> {
  const text = (await newestCheckpoint(db))?.note;
  const newest = text === undefined ? 0 : parseCheckpoint(text).size;
  return text !== undefined && newest > size ? { size: newest, text } : undefined;
}

/** Returns the hashes of the subtrees of each part; events that several need are read once. */
async function hashesOfParts(
  tree: LogTree,
  parts: readonly LeafRange[],
  published: readonly number[],
): Promise<Buffer[][]> {
  const subtrees = parts.map((part) => cutSubtrees(part, published));
  const hashes = await tree.hashes(subtrees.flat());
  let done = 0;
  return subtrees.map(({ length }) => hashes.slice(done, (done += length)));
}

/**
 * Returns the ranges of leaves, from left to right, whose hashes an export of the one at `index` needs to
 * prove the trees of the `published` sizes too.
 */
export const besideOne = (index: number, size: number, published: readonly number[] = []): LeafRange[] =>
  [...cutSubtrees([0, index], published), ...cutSubtrees([index + 1, size], published)].map(
    ({ height, place }): LeafRange => [place * 2 ** height, (place + 1) * 2 ** height],
  );

interface ExportedOne {
  index: number;
  checkpoint: string;
  /** The hashes of `besideOne`. */
  beside: readonly Buffer[];
  published?: readonly number[];
}

/** Returns an export of one event by its hashed form. */
export function exportOne(leaf: string, { index, checkpoint, beside, published = [] }: ExportedOne): string {
  const { length } = cutSubtrees([0, index], published);
  const hashes = { before: beside.slice(0, length), after: beside.slice(length) };
  return `${headingLine({ checkpoint, first: index, count: 1, published, ...hashes })}${leaf}\n`;
}

async function* eventsOf(
  store: TreeSources['store'],
  after: bigint,
  count: number,
): AsyncGenerator<StoredEvent, void, undefined> {
  let position = after;
  for (let left = count; left > 0;) {
    const events = await store.readAll(position, Math.min(left, PAGE));
    if (events.length === 0) throw logAltered();
    yield* events;
    left -= events.length;
    position = events.at(-1)?.position ?? position;
  }
}
