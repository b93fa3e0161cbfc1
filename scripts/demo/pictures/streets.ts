import type { Random } from '../random.ts';
import type { Palette } from './palettes.ts';
import { type Canvas, n, path, rect, sun } from './svg.ts';

/** A row of old houses with lit windows. */
export function buildings({ width, height }: Canvas, palette: Palette, random: Random): string[] {
  const houses: string[] = [];
  for (let x = -20; x < width;) {
    const wide = random.between(90, 170);
    const tall = height * (0.36 + random.next() * 0.28);
    houses.push(house({ x, top: height - tall - 40, wide, bottom: height - 40 }, palette, random));
    x += wide;
  }
  return [
    sun(width * (0.15 + random.next() * 0.7), height * 0.22, height * 0.07, palette.accent),
    ...houses,
    rect(0, height - 42, [width, 42], palette.ink),
    ...Array.from({ length: 12 }, (_, index) =>
      rect((index * width) / 12 + 20, height - 24, [50, 5], palette.light, 'opacity=".6"'),
    ),
  ];
}

interface Walls {
  x: number;
  top: number;
  wide: number;
  bottom: number;
}

function house({ x, top, wide, bottom }: Walls, palette: Palette, random: Random): string {
  const wall = random.pick([...palette.land, palette.accent, palette.sky[1]]);
  const roof = `M${n(x)} ${n(top)} L${n(x + wide / 2)} ${n(top - 30 - random.next() * 50)} L${n(x + wide)} ${n(top)} Z`;
  const columns = Math.floor((wide - 20) / 36);
  const windows: string[] = [];
  for (let row = top + 22; row < bottom - 60; row += 52) {
    for (let column = 0; column < columns; column += 1) {
      const lit = random.chance(0.55) ? palette.light : palette.ink;
      windows.push(
        rect(
          x + 16 + column * 36,
          row,
          [20, 30],
          lit,
          `rx="3" opacity="${lit === palette.ink ? '.35' : '.95'}"`,
        ),
      );
    }
  }
  const door = rect(x + wide / 2 - 12, bottom - 46, [24, 46], palette.ink, 'rx="3" opacity=".8"');
  return path(roof, palette.ink) + rect(x, top, [wide, bottom - top], wall) + windows.join('') + door;
}
