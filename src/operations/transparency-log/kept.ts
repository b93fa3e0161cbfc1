import { invalid } from '#kernel/errors.ts';
import { parseCheckpoints } from './checkpoint.ts';
import { type NotedDivergence, parseDivergence, problemWith } from './divergences.ts';
import { type Kept, nameOf, type Verdict } from './examination.ts';
import { type Note, noteVerifier, parseVerifierKey } from './note.ts';
import { verifyExport } from './verify-export.ts';

/** A verdict about a log, with the divergences that its operator accepted. */
export interface LogVerdict extends Verdict {
  divergences: readonly NotedDivergence[];
  /** Faults that the operator must know, though the log agrees with its checkpoints. */
  warnings: readonly string[];
  /** Faults that an accepted divergence explains. */
  notes: readonly string[];
}

/** A checkpoint in a file of an auditor. */
export interface KeptFile {
  name: string;
  text: string;
}

/**
 * Verifies a file that `export` wrote, or plain lines of a whole log, without a database.
 * @throws RookeryError `invalid` for text that is no export or no checkpoint, or is not signed by the key
 */
export async function verifyFile(path: string, kept: readonly KeptFile[], key: string): Promise<LogVerdict> {
  const verifier = parseVerifierKey(key);
  const { divergences: texts, ...verdict } = await verifyExport(
    path,
    kept.flatMap((file) => keptIn(file, key)),
    (text) => void keptIn({ name: 'the export', text }, key),
  );
  const divergences = texts.map(parseDivergence);
  const forged = divergences.find(({ note }) => !verifier.verifies(note));
  if (forged) throw invalid(`The divergence ${forged.number} in the export is not signed by the key`);
  const problem = problemWith({ ...verdict, problem: forkIn(verdict) ?? verdict.problem }, divergences);
  return { ...verdict, divergences, problem, warnings: [], notes: [] };
}

/** Returns a problem for a kept checkpoint that contradicts a file whose own checkpoint agrees with it. */
function forkIn({ problem, contradicts, compared }: Verdict): string | undefined {
  const own = compared.find(({ kept, outcome }) => kept.by === 'export' && outcome === 'agrees');
  if (problem === undefined || contradicts?.by !== 'auditor' || !own) return undefined;
  return `${problem}; the file agrees with ${nameOf(own.kept)}, so the key signed two logs that differ`;
}

/** Returns the checkpoints of a file. @throws RookeryError `invalid` unless all are signed by the key */
export function keptIn(file: KeptFile, key: string): Kept[] {
  const verifier = parseVerifierKey(key);
  return signedBy(file, () => verifier).map(byAuditor);
}

/** Marks a checkpoint of an auditor. */
export const byAuditor = (kept: Kept): Kept => ({ ...kept, by: 'auditor' });

/** Returns the checkpoints of a file that this server signed, under its present or a former domain. */
export const ownCheckpoints = (file: KeptFile, publicKey: Buffer): Kept[] =>
  signedBy(file, (note) => ownVerifier(note, publicKey));

/** Returns the verifier for a note of this server. The domain may have been another one. */
export const ownVerifier = ({ text }: Note, publicKey: Buffer): ReturnType<typeof noteVerifier> =>
  noteVerifier(text.split('\n', 1)[0] ?? '', publicKey);

function signedBy(
  { name, text }: KeptFile,
  verifierOf: (note: Note) => ReturnType<typeof noteVerifier>,
): Kept[] {
  const checkpoints = parseCheckpoints(text);
  if (checkpoints.length === 0) throw invalid(`There is no checkpoint (${name})`);
  return checkpoints.map(({ size, root, note }) => {
    if (!verifierOf(note).verifies(note)) {
      throw invalid(`The checkpoint of ${size} events (${name}) is not signed by the key of this log`);
    }
    return { size, root, source: name };
  });
}
