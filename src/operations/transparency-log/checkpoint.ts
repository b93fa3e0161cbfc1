import { invalid } from '../../kernel/errors.ts';
import { parseNotes, type Note } from './note.ts';

/** The state of a log: how many events it had, and the root of their tree. https://c2sp.org/tlog-checkpoint */
export interface Checkpoint {
  /** The origin of the log: the domain. */
  origin: string;
  size: number;
  root: Buffer;
}

/** With the note that says so. Whether its signatures hold is another question. */
export interface NotedCheckpoint extends Checkpoint {
  note: Note;
}

/** Returns the text that is signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/**
 * The checkpoints of a file, one after another.
 * @throws RookeryError `invalid` for what is none
 */
export const parseCheckpoints = (file: string): NotedCheckpoint[] =>
  parseNotes(file).map((note) => ({ ...fieldsOf(note), note }));

/** @throws RookeryError `invalid` unless it is exactly one */
export function parseCheckpoint(file: string): NotedCheckpoint {
  const [checkpoint, ...others] = parseCheckpoints(file);
  if (!checkpoint || others.length > 0) throw malformed();
  return checkpoint;
}

function fieldsOf({ text }: Note): Checkpoint {
  const [origin = '', size = '', encoded = ''] = text.split('\n');
  const root = Buffer.from(encoded, 'base64');
  const known = /^(?:0|[1-9][0-9]{0,14})$/.test(size) && root.length === 32;
  if (!known || root.toString('base64') !== encoded) throw malformed();
  return { origin, size: Number(size), root };
}

const malformed = () => invalid('That is no checkpoint: a signed note with origin, size and root');
