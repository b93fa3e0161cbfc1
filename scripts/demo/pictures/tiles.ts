import type { Random } from '../random.ts';
import type { Palette } from './palettes.ts';
import { type Canvas, circle, group, path, rect } from './svg.ts';

const SIDE = 100;

/** Covers the canvas with square tiles of quarter circles, triangles and dots. */
export function tiles({ width, height }: Canvas, palette: Palette, random: Random): string {
  const colours = [...palette.land, palette.accent, palette.light, palette.sky[0]];
  const all: string[] = [];
  for (let y = 0; y < height; y += SIDE) {
    for (let x = 0; x < width; x += SIDE) {
      const [ground = '', front = ''] = random.some(colours, 2);
      const turn = random.between(0, 3) * 90;
      all.push(
        group(`translate(${x} ${y}) rotate(${turn} ${SIDE / 2} ${SIDE / 2})`, [
          rect(0, 0, [SIDE + 0.5, SIDE + 0.5], ground),
          random.pick(SHAPES)(front),
        ]),
      );
    }
  }
  return all.join('');
}

const SHAPES: readonly ((fill: string) => string)[] = [
  (fill) => path(`M0 0 L${SIDE} 0 A${SIDE} ${SIDE} 0 0 1 0 ${SIDE} Z`, fill),
  (fill) => path(`M0 0 L${SIDE} 0 L0 ${SIDE} Z`, fill),
  (fill) => circle(SIDE / 2, SIDE / 2, SIDE * 0.3, fill),
  (fill) =>
    path(`M0 0 A${SIDE / 2} ${SIDE / 2} 0 0 1 0 ${SIDE} Z`, fill) +
    circle(SIDE * 0.75, SIDE / 2, SIDE * 0.14, fill),
  (fill) => path(`M0 ${SIDE / 2} L${SIDE / 2} 0 L${SIDE} ${SIDE / 2} L${SIDE / 2} ${SIDE} Z`, fill),
];
