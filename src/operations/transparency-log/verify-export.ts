import { createReadStream } from 'node:fs';
import { invalid } from '#kernel/errors.ts';
import { parseCheckpoint } from './checkpoint.ts';
import { Examination, type Kept, type Verdict } from './examination.ts';
import { cutSubtrees, headingIn } from './export-heading.ts';
import { positionIn } from './leaf.ts';
import { leafHash, type Subtree } from './merkle.ts';

/** The maximum bytes of a line, far more than any event has. */
const MAX_LINE = 64 * 1024 * 1024;

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
  const { newer } = head;
  const own = [head.checkpoint, ...(newer ? [newer.checkpoint] : [])].map((note): Kept => {
    authentic(note);
    const { size, root } = parseCheckpoint(note);
    return { size, root, source: 'in the export', by: 'export' };
  });
  const [size = 0, newest = size] = own.map((each) => each.size);
  const { published = [] } = head;
  const examination = new Examination([...kept, ...own]);
  takeBeside(examination, head.before, cutSubtrees([0, head.first], published));
  const verdict = await examine(examination, lines, undefined, (taken) => {
    if (taken !== head.count) {
      return examination.fail(`There are ${taken} events; the heading of the export says ${head.count}`);
    }
    // A line that is no event is a problem already; the hashes do not fit behind it.
    if (examination.size !== head.first + head.count) return;
    takeBeside(examination, head.after, cutSubtrees([head.first + head.count, size], published));
    if (newer) takeBeside(examination, newer.hashes, cutSubtrees([size, newest], published));
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
  line?: Buffer,
  end?: (taken: number) => void,
): Promise<Verdict> {
  let taken = 0;
  const take = (leaf: Buffer): void => {
    taken += 1;
    const position = positionIn(leaf);
    if (position === undefined) examination.fail(`Line ${taken} of the events is none`);
    else examination.take(leafHash(leaf), position);
  };
  if (line) take(line);
  for await (const each of lines) take(each);
  end?.(taken);
  return examination.end({ part: end !== undefined });
}

/** Adds the hashes of the events before or after the lines. */
function takeBeside(examination: Examination, hashes: readonly string[], subtrees: readonly Subtree[]): void {
  if (subtrees.length !== hashes.length)
    throw invalid('The heading of the export has not the hashes that it needs');
  subtrees.forEach(({ height }, index) =>
    examination.takeSubtree(Buffer.from(hashes[index] ?? '', 'base64'), height),
  );
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
