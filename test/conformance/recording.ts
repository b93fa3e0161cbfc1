import { readFile, writeFile } from 'node:fs/promises';
import type { Recorded } from './driver.ts';

/** Writes each answer on its own line, so that a diff shows a changed answer as one line. */
export async function writeRecording(path: string, recorded: readonly Recorded[]): Promise<void> {
  await writeFile(path, `${recorded.map((answer) => JSON.stringify(answer)).join('\n')}\n`);
}

export async function readRecording(path: string): Promise<Recorded[]> {
  const text = await readFile(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Recorded);
}

/** A step to which two servers give different answers. */
export interface Difference {
  step: string;
  operation: string;
  /** For example `body.error: "Not Found" ↔ "Record not found"`. */
  places: string[];
}

/**
 * Compares two recordings of the same scenario. A step that is missing in one of them is a difference too.
 */
export function compareRecordings(one: readonly Recorded[], other: readonly Recorded[]): Difference[] {
  const others = new Map(other.map((answer) => [answer.step, answer]));
  const names = new Set(one.map(({ step }) => step));
  const missing = other.filter(({ step }) => !names.has(step));
  return [
    ...one.flatMap((answer) => {
      const places = placesOf(answer, others.get(answer.step), '');
      return places.length > 0 ? [{ step: answer.step, operation: answer.operation, places }] : [];
    }),
    ...missing.map(({ step, operation }) => ({
      step,
      operation,
      places: ['is only in the second recording'],
    })),
  ];
}

function placesOf(one: unknown, other: unknown, place: string): string[] {
  if (isRecord(one) && isRecord(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return keys.flatMap((key) => placesOf(one[key], other[key], place === '' ? key : `${place}.${key}`));
  }
  const [left, right] = [JSON.stringify(one) ?? 'nothing', JSON.stringify(other) ?? 'nothing'];
  return isSame(left, right) ? [] : [`${place}: ${left} ↔ ${right}`];
}

/** A short id is recorded as `<id>` (see `normalise.ts`), which is equal to every named id. */
function isSame(left: string, right: string): boolean {
  if (left === right) return true;
  const [ids, others] = [left, right].map((text) => text.match(ANY_ID) ?? []);
  return (
    left.replaceAll(ANY_ID, '<id>') === right.replaceAll(ANY_ID, '<id>') &&
    (ids ?? []).every((id, n) => id === others?.[n] || id === '<id>' || others?.[n] === '<id>')
  );
}

const ANY_ID = /<id>|\{\w+\}/g;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
