import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { invalid, RookeryError } from '#kernel/errors.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { Examination, type Kept, type Verdict } from './examination.ts';
import { leafOf, positionIn } from './leaf.ts';
import { logAltered, LogTree, type TreeSources } from './log-tree.ts';
import { leafHash, type LeafRange, subtreesOf } from './merkle.ts';

const PAGE = 1_024;
/** The maximum bytes of a line, far more than any event has. */
const MAX_LINE = 64 * 1024 * 1024;

const hash = z.base64().length(44);
/** The first line of an export: the part of the tree that follows, and the hashes of the rest. */
const heading = z.strictObject({
  rookery_log_export: z.literal(1),
  /** The signed checkpoint of the tree. */
  checkpoint: z.string(),
  /** The number of events before the first line, and the number of lines. */
  first: z.int().min(0),
  count: z.int().min(1),
  /** The hashes of the full subtrees before the events, and after them, from left to right. */
  before: z.array(hash).max(64),
  after: z.array(hash).max(128),
  /** Signed notes, if the operator accepted that the log contradicts earlier checkpoints. */
  divergences: z.array(z.string().max(4_000)).max(1_000).optional(),
});
type Heading = z.infer<typeof heading>;

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
  const { count: first, position: after } = await tree.before(from ?? 0n);
  const end = until === undefined ? size : Math.min(await tree.countUpTo(until), size);
  if (first >= end) throw new RookeryError('not_found', 'The checkpoint covers no events at these positions');
  const rest = subtreesOf([end, size]);
  const [left, right] = await Promise.all([tree.hashes(subtreesOf([0, first])), tree.hashes(rest)]);
  yield headingLine({ checkpoint, first, count: end - first, before: left, after: right, divergences });
  for await (const event of eventsOf(sources.store, after, end - first)) {
    yield `${leafOf(event)}\n`;
  }
}

interface HeadingParts extends Pick<Heading, 'first' | 'count' | 'checkpoint'> {
  before: readonly Buffer[];
  after: readonly Buffer[];
  divergences?: readonly string[];
}

/** Returns the first line of an export. */
function headingLine({ checkpoint, first, count, before, after, divergences = [] }: HeadingParts): string {
  const head: Heading = {
    rookery_log_export: 1,
    checkpoint,
    first,
    count,
    before: before.map((each) => each.toString('base64')),
    after: after.map((each) => each.toString('base64')),
    ...(divergences.length === 0 ? {} : { divergences: [...divergences] }),
  };
  return `${JSON.stringify(head)}\n`;
}

/** Returns the ranges of leaves, from left to right, whose hashes an export of the one at `index` needs. */
export const besideOne = (index: number, size: number): LeafRange[] =>
  [...subtreesOf([0, index]), ...subtreesOf([index + 1, size])].map(({ height, place }): LeafRange => [
    place * 2 ** height,
    (place + 1) * 2 ** height,
  ]);

/** Returns an export of one event by its hashed form; `beside` are the hashes of `besideOne`. */
export function exportOne(
  leaf: string,
  { index, checkpoint, beside }: { index: number; checkpoint: string; beside: readonly Buffer[] },
): string {
  const { length } = subtreesOf([0, index]);
  const hashes = { before: beside.slice(0, length), after: beside.slice(length) };
  return `${headingLine({ checkpoint, first: index, count: 1, ...hashes })}${leaf}\n`;
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

/**
 * Compares an export, or plain lines of a log from its start, with checkpoints. It needs only the file.
 * @param authentic throws when the signature of the heading's checkpoint is wrong
 * @returns the verdict, and the notes of accepted divergences, whose signatures are not verified
 * @throws RookeryError `invalid` for text that is no export
 */
export async function verifyExport(
  path: string,
  kept: readonly Kept[],
  authentic: (note: string) => void,
): Promise<Verdict & { divergences: string[] }> {
  const lines = linesOf(path);
  const first = await lines.next();
  if (first.done === true) throw invalid(`${path} is empty`);
  const head = headingIn(first.value);
  if (!head) return { ...(await examine(new Examination(kept), lines, first.value)), divergences: [] };
  authentic(head.checkpoint);
  const { size, root } = parseCheckpoint(head.checkpoint);
  const examination = new Examination([...kept, { size, root, source: 'in the export' }]);
  takeBeside(examination, head.before, [0, head.first]);
  const verdict = await examine(examination, lines, undefined, (taken) => {
    if (taken !== head.count) {
      examination.fail(`There are ${taken} events; the heading of the export says ${head.count}`);
    } else takeBeside(examination, head.after, [head.first + head.count, size]);
  });
  return { ...verdict, divergences: head.divergences ?? [] };
}

/** Returns the checkpoint in the heading of an export; undefined for plain lines. */
export async function checkpointOfExport(path: string): Promise<string | undefined> {
  for await (const line of linesOf(path)) return headingIn(line)?.checkpoint;
  return undefined;
}

async function examine(
  examination: Examination,
  lines: AsyncIterable<Buffer>,
  line: Buffer | undefined,
  end: (taken: number) => void = () => undefined,
): Promise<Verdict> {
  let taken = 0;
  const take = (leaf: Buffer): void => {
    taken += 1;
    const position = positionIn(leaf);
    if (position === undefined) examination.fail(`Line ${taken} of the events is none`);
    else examination.take(leafHash(leaf), position);
  };
  if (line) take(line);
  for await (const each of lines) {
    take(each);
    if (examination.problem !== undefined) return examination.end();
  }
  end(taken);
  return examination.end();
}

/** Adds the hashes of the events before or after the lines. */
function takeBeside(
  examination: Examination,
  hashes: readonly string[],
  range: readonly [number, number],
): void {
  const subtrees = subtreesOf(range);
  if (subtrees.length !== hashes.length)
    throw invalid('The heading of the export has not the hashes that it needs');
  subtrees.forEach(({ height }, index) =>
    examination.takeSubtree(Buffer.from(hashes[index] ?? '', 'base64'), height),
  );
}

/** Returns undefined for a line that is an event. */
export function headingIn(line: Buffer): Heading | undefined {
  const text = line.toString();
  if (!text.startsWith('{"rookery_log_export":')) return undefined;
  try {
    return heading.parse(JSON.parse(text));
  } catch {
    throw invalid('The heading of the export is damaged');
  }
}

/**
 * Yields the lines of a file as bytes, without line ends. Only a newline ends a line: U+2028, for example,
 * may be part of an event.
 */
export async function* linesOf(path: string): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer[] = [];
  let length = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield rest.length === 0
        ? chunk.subarray(from, end)
        : Buffer.concat([...rest, chunk.subarray(from, end)]);
      rest = [];
      length = 0;
      from = end + 1;
    }
    if (from === chunk.length) continue;
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MAX_LINE) throw invalid(`${path} has a line that is no event`);
  }
  if (rest.length > 0) yield Buffer.concat(rest);
}
