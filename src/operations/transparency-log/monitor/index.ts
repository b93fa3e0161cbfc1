import { invalid, isRookeryError, RookeryError } from '#kernel/errors.ts';
import { TILE_WIDTH } from '#kernel/tile-address.ts';
import { type NotedCheckpoint, parseCheckpoint } from '../checkpoint.ts';
import { isVoidBy, type NotedDivergence, parseDivergence } from '../divergences.ts';
import { type NoteVerifier, parseVerifierKey } from '../note.ts';
import { LogFinding } from './finding.ts';
import type { Kept, MonitorFolder } from './folder.ts';
import { differenceBetween, type KnownTree, NO_TREE, rootOfKnown, type Stretch } from './known-tree.ts';
import { checkLevels, readTree } from './read-tree.ts';
import type { LogSource } from './source.ts';

export { type FindingKind, LogFinding } from './finding.ts';
export { MonitorFolder } from './folder.ts';
export { type PublicEntry, publicEntries } from './read-tree.ts';
export { LogSource } from './source.ts';

export interface MonitorOptions {
  /** Where the checkpoints are kept; undefined for nowhere. */
  folder: MonitorFolder | undefined;
  /** The key that signs the log; that of the last time, or at the first time the one that the server shows. */
  key: string | undefined;
  /** Reads all tiles and entries again, and not those of new events alone. */
  all: boolean;
}

export interface Observation {
  origin: string;
  size: number;
  /** Base64. */
  root: string;
  /** The number of events that are new since the last time. */
  added: number;
  key: string;
}

/**
 * Looks at the log of another server from outside: the signature of its checkpoint, the root of its tiles, and whether it continues
 * the log of the last time.
 * @throws LogFinding for a fault; RookeryError `unavailable` when the server does not answer, `invalid` for another key than the kept one
 */
export async function monitorLog(source: LogSource, options: MonitorOptions): Promise<Observation> {
  const { folder, all } = options;
  const kept = await folder?.read();
  const verifier = await verifierOf(source, options.key, kept);
  const note = await source.checkpoint();
  if (note === undefined)
    throw kept
      ? noCheckpoint(kept)
      : new RookeryError('unavailable', 'The server publishes no checkpoint of a log');
  const checkpoint = signedBy(verifier, note);
  const known = kept?.tree ?? NO_TREE;
  const observation: Observation = {
    origin: checkpoint.origin,
    size: checkpoint.size,
    root: checkpoint.root.toString('base64'),
    added: checkpoint.size - known.size,
    key: verifier.key,
  };
  try {
    const tree = await treeOf(source, checkpoint, { known, all });
    await folder?.keep({ key: verifier.key, checkpoint: note, tree });
  } catch (error) {
    if (!(error instanceof LogFinding)) throw error;
    if (error.kind !== 'tiles') await folder?.keepEvidence(note);
    throw await explained(error, { source, verifier, known });
  }
  return observation;
}

async function verifierOf(
  source: LogSource,
  given: string | undefined,
  kept: Kept | undefined,
): Promise<NoteVerifier> {
  const verifier = given === undefined ? undefined : parseVerifierKey(given);
  if (kept) {
    if (verifier && verifier.key !== kept.key) throw invalid('The folder is of a log with another key');
    return parseVerifierKey(kept.key);
  }
  if (verifier) return verifier;
  const shown = await source.key();
  if (shown === undefined) throw new RookeryError('unavailable', 'The server shows no key of a log');
  return parseVerifierKey(shown);
}

function signedBy(verifier: NoteVerifier, note: string): NotedCheckpoint {
  let checkpoint: NotedCheckpoint;
  try {
    checkpoint = parseCheckpoint(note);
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    throw new LogFinding('key', 'The server publishes no signed checkpoint');
  }
  if (!verifier.verifies(checkpoint.note)) {
    throw new LogFinding(
      'key',
      `The checkpoint of ${checkpoint.size} events is not signed by the key ${verifier.key}`,
    );
  }
  return checkpoint;
}

const noCheckpoint = ({ tree }: Kept): LogFinding =>
  new LogFinding('cut', `The server publishes no checkpoint any more; it had one of ${tree.size} events`);

/** Returns the tree of a checkpoint, which continues the known one. @throws LogFinding */
async function treeOf(
  source: LogSource,
  { size, root }: NotedCheckpoint,
  { known, all }: { known: KnownTree; all: boolean },
): Promise<KnownTree> {
  if (!all && size === known.size && rootOfKnown(known).equals(root)) return known;
  if (!all && size > known.size) {
    const { tree, beside } = await readTree(source, size, { known, all });
    if (rootOfKnown(tree).equals(root) && !differenceBetween(known, tree, beside)) return tree;
  }
  const { tree, beside } = await readTree(source, size, { known, all: true });
  await checkLevels(source, tree);
  if (!rootOfKnown(tree).equals(root)) {
    throw new LogFinding('tiles', `The tiles are not those of the checkpoint of ${size} events`);
  }
  compare(known, tree, differenceBetween(known, tree, beside));
  return tree;
}

/** Says how a whole tree contradicts the known one, if it does. @throws LogFinding */
function compare(known: KnownTree, tree: KnownTree, difference: Stretch | undefined): void {
  const where = difference && `the events ${difference.from} to ${difference.to} are others`;
  if (tree.size < known.size) {
    const lost = `The log ends after ${tree.size} events; its checkpoint of ${known.size} events was published before`;
    throw new LogFinding('cut', where === undefined ? lost : `${lost}, and ${where}`);
  }
  if (where !== undefined) {
    throw new LogFinding(
      tree.size === known.size ? 'fork' : 'rewrite',
      `The log of ${tree.size} events contradicts the checkpoint of ${known.size} events: ${where}`,
    );
  }
  const changed = known.entries.findIndex((each, place) => tree.entries[place]?.equals(each) === false);
  if (changed < 0) return;
  const [from, to] = [changed * TILE_WIDTH + 1, (changed + 1) * TILE_WIDTH];
  throw new LogFinding('rewrite', `What is public of the events ${from} to ${to} was changed`);
}

/** Adds that the operator accepted a contradiction, where a signed note says so. */
async function explained(
  finding: LogFinding,
  { source, verifier, known }: { source: LogSource; verifier: NoteVerifier; known: KnownTree },
): Promise<LogFinding> {
  if (finding.kind === 'tiles' || finding.kind === 'key') return finding;
  const text = await source.divergences().catch(() => '');
  const accepted = divergencesIn(text, verifier).find((each) => isVoidBy(each, known));
  if (!accepted) return finding;
  const { number, time, reason } = accepted;
  return new LogFinding(
    finding.kind,
    `${finding.text}; the operator accepted that on ${time} as divergence ${number}: ${reason}`,
  );
}

/** Returns the divergences of a text that the key signed; none of any other text. */
function divergencesIn(text: string, verifier: NoteVerifier): NotedDivergence[] {
  try {
    const notes = text.split(/\n\n(?!—)/).filter((each) => each.trim() !== '');
    return notes
      .map((each) => parseDivergence(`${each.trimEnd()}\n`))
      .filter(({ note }) => verifier.verifies(note));
  } catch (error) {
    if (isRookeryError(error)) return [];
    throw error;
  }
}
