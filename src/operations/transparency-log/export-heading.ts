import { z } from 'zod';
import { invalid } from '#kernel/errors.ts';
import { type LeafRange, type Subtree, subtreesOf } from './merkle.ts';

/** The most published checkpoints that an export of part of a log proves. */
export const MAX_PUBLISHED = 1_024;
/** Between two sizes of trees are at most some hundred full subtrees. */
const MAX_HASHES = 128 * (MAX_PUBLISHED + 1);

const hash = z.base64().length(44);
const isAscending = (sizes: readonly number[]): boolean =>
  sizes.every((size, index) => size > (sizes[index - 1] ?? 0));
/** The first line of an export: the part of the tree that follows, and the hashes of the rest. */
const heading = z.strictObject({
  rookery_log_export: z.literal(1),
  /** The signed checkpoint of the tree. */
  checkpoint: z.string(),
  /** The number of events before the first line, and the number of lines. */
  first: z.int().min(0),
  count: z.int().min(1),
  /** The hashes of the full subtrees before the events, and after them, from left to right. */
  before: z.array(hash).max(MAX_HASHES),
  after: z.array(hash).max(MAX_HASHES),
  /** The sizes of published checkpoints at which those hashes are cut, so that each can be compared. */
  published: z.array(z.int().min(1)).max(MAX_PUBLISHED).refine(isAscending).optional(),
  /** A newer checkpoint, and the hashes of the events between both. */
  newer: z.strictObject({ checkpoint: z.string(), hashes: z.array(hash).max(MAX_HASHES) }).optional(),
  /** Signed notes, if the operator accepted that the log contradicts earlier checkpoints. */
  divergences: z.array(z.string().max(4_000)).max(1_000).optional(),
});
type Heading = z.infer<typeof heading>;

interface HeadingParts extends Pick<Heading, 'first' | 'count' | 'checkpoint'> {
  before: readonly Buffer[];
  after: readonly Buffer[];
  published?: readonly number[];
  newer?: { checkpoint: string; hashes: readonly Buffer[] };
  divergences?: readonly string[];
}

const base64 = (hashes: readonly Buffer[]): string[] => hashes.map((each) => each.toString('base64'));

/** Returns the first line of an export. */
export function headingLine(parts: HeadingParts): string {
  const { checkpoint, first, count, before, after, published = [], newer, divergences = [] } = parts;
  const head: Heading = {
    rookery_log_export: 1,
    checkpoint,
    first,
    count,
    before: base64(before),
    after: base64(after),
    ...(published.length === 0 ? {} : { published: [...published] }),
    ...(newer && { newer: { checkpoint: newer.checkpoint, hashes: base64(newer.hashes) } }),
    ...(divergences.length === 0 ? {} : { divergences: [...divergences] }),
  };
  return `${JSON.stringify(head)}\n`;
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

/** Tells whether a size cuts a range. */
export const isInside = (size: number, [from, to]: LeafRange): boolean => size > from && size < to;

/** Returns the fewest full subtrees that cover these leaves, so that a tree of each of the sizes ends between two. */
export function cutSubtrees([from, to]: LeafRange, sizes: readonly number[]): Subtree[] {
  const ends = [...sizes.filter((size) => isInside(size, [from, to])), to];
  return ends.flatMap((end, index) => subtreesOf([ends[index - 1] ?? from, end]));
}
