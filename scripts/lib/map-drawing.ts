import { type Arrow, floors, withoutImplied } from './rooms.ts';

/** Returns a Mermaid flowchart. An arrow that a longer path implies is left out; a dotted one imports types only. */
export function drawing(arrows: readonly Arrow[]): string {
  const order = floors(arrows);
  const lines = sorted(withoutImplied(arrows), order).map(
    ({ from, to, typeOnly }) => `  ${idOf(from)} ${typeOnly ? '-.->' : '-->'} ${idOf(to)}`,
  );
  const rooms = order.map((room) => `  ${idOf(room)}[${room}]`);
  return ['```mermaid', 'flowchart TD', ...rooms, ...lines, '```'].join('\n');
}

/** Returns every room with the rooms that it imports and the number of imports. */
export function listing(arrows: readonly Arrow[]): string {
  const order = floors(arrows);
  return order
    .map((room) => {
      const own = sorted(
        arrows.filter(({ from }) => from === room),
        order,
      );
      return `${room}: ${own.map(described).join(', ') || 'nothing'}`;
    })
    .join('\n');
}

const described = ({ to, imports, typeOnly }: Arrow): string =>
  `${to} (${imports}${typeOnly ? ', types only' : ''})`;

const sorted = (arrows: readonly Arrow[], order: readonly string[]): Arrow[] =>
  arrows.toSorted(
    (a, b) => order.indexOf(a.from) - order.indexOf(b.from) || order.indexOf(a.to) - order.indexOf(b.to),
  );

const idOf = (room: string): string => room.replace(/^src\//, '').replaceAll(/\W/g, '_');
