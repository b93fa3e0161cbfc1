import { invalid } from '#kernel/errors.ts';
import { type Note, parseNotes } from './note.ts';

/** The state of a log: its number of events, and the root of their tree. https://c2sp.org/tlog-checkpoint */
export interface Checkpoint {
  /** The origin of the log: the domain. */
  origin: string;
  size: number;
  root: Buffer;
}

/** A checkpoint with its note. The signatures are not verified yet. */
export interface NotedCheckpoint extends Checkpoint {
  note: Note;
}

/** Returns the text to sign. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Returns the checkpoints of a file, in order. @throws RookeryError `invalid` for any other text */
export const parseCheckpoints = (file: string): NotedCheckpoint[] =>
  parseNotes(file).map((note) => ({ ...fieldsOf(note), note }));

/** @throws RookeryError `invalid` unless the text is exactly one checkpoint */
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
