import type { Random } from '../random.ts';
import type { Palette } from './palettes.ts';

/** A drawing area. */
export interface Canvas {
  width: number;
  height: number;
}

/** Returns a whole picture. Gradients of the sky and of the light are there as `#sky` and `#glow`. */
export const svg = ({ width, height }: Canvas, { sky, light }: Palette, content: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
  <defs>
    <linearGradient id="sky" x2="0" y2="1"><stop stop-color="${sky[0]}"/><stop offset="1" stop-color="${sky[1]}"/></linearGradient>
    <radialGradient id="glow"><stop stop-color="${light}" stop-opacity=".9"/><stop offset="1" stop-color="${light}" stop-opacity="0"/></radialGradient>
  </defs>
  <rect width="100%" height="100%" fill="url(#sky)"/>
  ${content.join('\n  ')}
</svg>`;

export const circle = (x: number, y: number, r: number, fill: string, more = ''): string =>
  `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}" ${more}/>`;
export const ellipse = (
  x: number,
  y: number,
  [rx, ry]: readonly [number, number],
  fill: string,
  more = '',
): string => `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
export const rect = (
  x: number,
  y: number,
  [width, height]: readonly [number, number],
  fill: string,
  more = '',
): string =>
  `<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" fill="${fill}" ${more}/>`;
export const path = (d: string, fill: string, more = ''): string => `<path d="${d}" fill="${fill}" ${more}/>`;
export const stroke = (d: string, colour: string, width: number, more = ''): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${n(width)}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
export const group = (transform: string, content: readonly string[]): string =>
  `<g transform="${transform}">${content.join('')}</g>`;

/** A number as short as pictures need it. */
export const n = (value: number): string => String(Math.round(value * 10) / 10);

/** A sun or moon with its glow. */
export const sun = (x: number, y: number, r: number, colour: string): string =>
  circle(x, y, r * 2.6, 'url(#glow)') + circle(x, y, r, colour);

/** A line of hills over the whole width, around the height `y`. */
export function hills(
  { width, height }: Canvas,
  random: Random,
  [y, rise]: readonly [number, number],
  fill: string,
): string {
  const steps = random.between(3, 5);
  let d = `M0 ${height} L0 ${n(y)}`;
  for (let step = 0; step < steps; step += 1) {
    const [from, to] = [(width * step) / steps, (width * (step + 1)) / steps];
    const top = y - rise * (0.4 + random.next());
    d += ` Q${n((from + to) / 2)} ${n(top)} ${n(to)} ${n(y + rise * (random.next() - 0.5) * 0.5)}`;
  }
  return path(`${d} L${width} ${height} Z`, fill);
}

export const stars = ({ width, height }: Canvas, random: Random, count: number, fill: string): string =>
  Array.from({ length: count }, () =>
    circle(
      random.next() * width,
      random.next() * height * 0.6,
      0.8 + random.next() * 2,
      fill,
      `opacity="${n(0.4 + random.next() * 0.6)}"`,
    ),
  ).join('');
