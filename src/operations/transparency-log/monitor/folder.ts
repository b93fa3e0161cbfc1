import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { invalid, RookeryError } from '#kernel/errors.ts';
import { ignoreMissing, makeFolder, replaceFile } from '#kernel/files.ts';
import { parseOrNothing } from '#kernel/parse-json.ts';
import { parseCheckpoint } from '../checkpoint.ts';
import { parseVerifierKey } from '../note.ts';
import { type KnownTree, rootOfKnown } from './known-tree.ts';

/** A log as a monitor last saw it. */
export interface Kept {
  /** As `rookery log key` prints it. */
  key: string;
  /** The last one that was found to hold. */
  checkpoint: string;
  tree: KnownTree;
}

const HASH = 32;
const hashes = z.base64().transform((text) => {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / HASH }, (_, n) => bytes.subarray(n * HASH, (n + 1) * HASH));
});
const state = z.strictObject({
  key: z.string(),
  checkpoint: z.string(),
  size: z.int().min(0),
  chunks: hashes,
  edge: hashes,
  entries: hashes,
});

/** The folder in which a monitor keeps what it knows: `state.json`, and every checkpoint in `checkpoints.txt`. */
export class MonitorFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns undefined before the first look. @throws RookeryError when the kept hashes are not those of the kept checkpoint */
  async read(): Promise<Kept | undefined> {
    const path = join(this.#path, 'state.json');
    const text = await readFile(path, 'utf8').catch(ignoreMissing);
    if (text === undefined) return undefined;
    const { data } = state.safeParse(parseOrNothing(text));
    if (!data) throw invalid(`${path} is no state of a monitor`);
    const { key, checkpoint, ...tree } = data;
    const { size, root, note } = parseCheckpoint(checkpoint);
    if (!parseVerifierKey(key).verifies(note) || size !== tree.size || !rootOfKnown(tree).equals(root)) {
      throw new RookeryError('conflict', `${path} was changed: its hashes are not those of its checkpoint`);
    }
    return { key, checkpoint, tree };
  }

  /** Adds the checkpoint to `checkpoints.txt`, and replaces the state. */
  async keep({ key, checkpoint, tree }: Kept): Promise<void> {
    await makeFolder(this.#path);
    await this.add(checkpoint);
    const text = (each: readonly Buffer[]): string => Buffer.concat(each).toString('base64');
    const { size, chunks, edge, entries } = tree;
    const kept = { key, checkpoint, size, chunks: text(chunks), edge: text(edge), entries: text(entries) };
    await replaceFile(join(this.#path, 'state.json'), `${JSON.stringify(kept)}\n`, 0o644);
  }

  /** Adds a checkpoint to `checkpoints.txt`. */
  async add(checkpoint: string): Promise<void> {
    await appendFile(join(this.#path, 'checkpoints.txt'), `${checkpoint.trimEnd()}\n\n`);
  }

  /** Keeps a signed checkpoint that contradicts the kept one: together they prove the fault. */
  async keepEvidence(checkpoint: string): Promise<void> {
    await makeFolder(this.#path);
    await replaceFile(join(this.#path, 'contradiction.txt'), checkpoint, 0o644);
  }
}
