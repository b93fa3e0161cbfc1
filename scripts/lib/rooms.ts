import { filesIn, importsOf } from './imports.ts';

/** An arrow between two rooms: one imports the other. */
export interface Arrow {
  from: string;
  to: string;
  /** How many imports make it, those of types included. */
  imports: number;
  typeOnly: boolean;
}

/** The folders at the top level that hold the program. */
export const FOLDERS = ['src', 'commands', 'queries', 'projections'] as const;

/** Returns the room of a file: `src/app`, `src/main.ts`, `commands`; undefined for a file outside the rooms. */
export function roomOf(file: string): string | undefined {
  const [top, second] = file.split('/');
  if (top === 'src') return `src/${second ?? ''}`;
  return FOLDERS.find((folder) => folder === top);
}

/** Returns the arrows between rooms, from the imports of all source files. */
export function readArrows(): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const file of filesIn(...FOLDERS)) {
    const from = roomOf(file);
    for (const { target, typeOnly } of importsOf(file)) {
      const to = roomOf(target);
      if (from === undefined || to === undefined || from === to) continue;
      const key = `${from} ${to}`;
      const arrow = arrows.get(key) ?? { from, to, imports: 0, typeOnly: true };
      arrows.set(key, { ...arrow, imports: arrow.imports + 1, typeOnly: arrow.typeOnly && typeOnly });
    }
  }
  return [...arrows.values()];
}

/**
 * Returns the rooms from top to bottom: no room comes after one that it imports at run time, nor, where that can be had, after one
 * whose types it imports.
 * @throws Error when rooms import each other in a circle
 */
export function floors(arrows: readonly Arrow[]): string[] {
  const rooms = [...new Set(arrows.flatMap(({ from, to }) => [from, to]))].sort();
  const order: string[] = [];
  const open = new Set(rooms);
  while (open.size > 0) {
    const others = arrows.filter(({ from }) => open.has(from));
    const atRunTime = others.filter(({ typeOnly }) => !typeOnly);
    const top = [...open].find(notIn(others)) ?? [...open].find(notIn(atRunTime));
    if (top === undefined) throw new Error(`These rooms import each other: ${[...open].join(', ')}`);
    open.delete(top);
    order.push(top);
  }
  return order;
}

const notIn =
  (arrows: readonly Arrow[]) =>
  (room: string): boolean =>
    !arrows.some(({ to }) => to === room);

/** Returns the arrows that no longer path of run-time imports implies. */
export const withoutImplied = (arrows: readonly Arrow[]): Arrow[] =>
  arrows.filter((arrow) => {
    const others = arrows.filter((each) => each !== arrow && !each.typeOnly);
    return !reaches(arrow.from, arrow.to, others);
  });

function reaches(from: string, to: string, arrows: readonly Arrow[]): boolean {
  const seen = new Set([from]);
  for (const room of seen) {
    for (const arrow of arrows) if (arrow.from === room) seen.add(arrow.to);
  }
  return seen.has(to);
}
