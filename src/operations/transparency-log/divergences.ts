import { z } from 'zod';
import { invalid } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Verdict } from './examination.ts';
import { type Note, parseNotes } from './note.ts';

/** A database in which several statements take effect together. */
export interface TransactionDb extends Db {
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** The size of a tree, and its root. */
export interface TreeState {
  size: number;
  root: Buffer;
}

/**
 * A signed statement of the operator: the log contradicts an earlier checkpoint, and is accepted as it is now.
 * Checkpoints of more than `agrees` events, up to the size and the number of the last one then, are void.
 */
export interface Divergence {
  number: number;
  /** The first checkpoint that the log contradicts. */
  contradicts: TreeState;
  /** The events of the largest earlier checkpoint that the log agrees with; 0 without one. */
  agrees: number;
  /** The events of the largest void checkpoint, and the number of the last one. */
  voidSize: number;
  voidNumber: number;
  /** The log that was accepted. */
  accepted: TreeState;
  /** ISO 8601. */
  time: string;
  reason: string;
}

/** A divergence with its signed note. */
export interface NotedDivergence extends Divergence {
  note: Note;
  text: string;
}

export const MAX_REASON = 1_000;

/** Returns the text to sign. The first line is the origin of the log. */
export const divergenceText = (origin: string, divergence: Divergence): string =>
  [
    origin,
    `divergence ${divergence.number}`,
    `contradicts ${stateText(divergence.contradicts)}`,
    `void ${divergence.agrees} ${divergence.voidSize} ${divergence.voidNumber}`,
    `accepted ${stateText(divergence.accepted)}`,
    `time ${divergence.time}`,
    `reason ${divergence.reason}`,
    '',
  ].join('\n');

const stateText = ({ size, root }: TreeState): string => `${size} ${root.toString('base64')}`;

const FORM =
  /^(?<origin>[^\n]+)\ndivergence (?<number>\d{1,15})\ncontradicts (?<contradicts>\S+ \S+)\nvoid (?<void>\d+ \d+ \d+)\naccepted (?<accepted>\S+ \S+)\ntime (?<time>\S+)\nreason (?<reason>[^\n]+)\n$/;
const form = z.object({
  number: z.coerce.number().int(),
  contradicts: z.string().transform(stateOf),
  void: z.string().transform((text) => text.split(' ').map(Number)),
  accepted: z.string().transform(stateOf),
  time: z.iso.datetime(),
  reason: z.string().max(MAX_REASON),
});

function stateOf(text: string, context: z.RefinementCtx): TreeState {
  const [, size, encoded = ''] = /^(\d{1,15}) ([A-Za-z0-9+/]{43}=)$/.exec(text) ?? [];
  if (size === undefined) context.addIssue({ code: 'custom', message: 'is no size and root' });
  return { size: Number(size), root: Buffer.from(encoded, 'base64') };
}

/** @throws RookeryError `invalid` for any other text */
export function parseDivergence(text: string): NotedDivergence {
  const [note, ...others] = parseNotes(text);
  const parsed = form.safeParse(FORM.exec(note?.text ?? '')?.groups);
  if (!note || others.length > 0 || !parsed.success) throw invalid('That is no signed divergence of a log');
  const { void: range, ...fields } = parsed.data;
  const [agrees = 0, voidSize = 0, voidNumber = 0] = range;
  return { ...fields, agrees, voidSize, voidNumber, note, text };
}

/** Tells whether a checkpoint of this size is void by a divergence. Without a number, only the size counts. */
export const isVoidBy = (
  { agrees, voidSize, voidNumber }: Divergence,
  { size, number = 0 }: { size: number; number?: number | undefined },
): boolean => size > agrees && size <= voidSize && number <= voidNumber;

/** Returns a finding, and says of a contradicted checkpoint that the operator accepted that, if they did. */
export function problemWith(
  { problem, contradicts }: Verdict,
  divergences: readonly NotedDivergence[],
): string | undefined {
  if (problem === undefined || !contradicts) return problem;
  const accepted = divergences.find((divergence) => isVoidBy(divergence, contradicts));
  if (!accepted) return problem;
  const { number, time, reason } = accepted;
  return `${problem}; the operator accepted that on ${time} as divergence ${number}: ${reason}`;
}

const ALL = statement<{ note: string }>(
  'log_divergences_all',
  'select note from durable.log_divergences order by number',
);

/** Returns the stored divergences, the first one first. Their signatures are not verified. */
export const storedDivergences = async (db: Db): Promise<NotedDivergence[]> =>
  (await db.query(ALL)).map(({ note }) => parseDivergence(note));

/**
 * Stores a divergence, voids the checkpoints that it names, and forgets the stored hashes of the tree, which
 * are computed again from the log.
 */
export async function storeDivergence(
  transaction: Db,
  id: string,
  divergence: Divergence,
  note: string,
): Promise<void> {
  const { number, accepted, time, agrees } = divergence;
  await transaction.query(
    `insert into durable.log_divergences (number, id, tree_size, note, accepted_at) values ($1, $2, $3, $4, $5)`,
    [number, id, accepted.size, note, time],
  );
  await transaction.query(
    'update durable.log_checkpoints set divergence = $1 where divergence is null and tree_size > $2',
    [number, agrees],
  );
  await transaction.query('delete from durable.log_subtrees');
  await transaction.query('delete from durable.log_tiles');
  await transaction.query('delete from durable.log_verifications');
}
