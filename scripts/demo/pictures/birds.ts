import type { Palette } from './palettes.ts';
import { circle, ellipse, group, path, stroke } from './svg.ts';

/** A small bird of the hedges, as it is drawn: its colours and its shape. */
export interface Bird {
  name: string;
  back: string;
  breast: string;
  head: string;
  cheek: string;
  crest: boolean;
  /** The length of the tail; 1 is usual. */
  tail: number;
}

export const BIRDS: readonly Bird[] = [
  {
    name: 'blue tit',
    back: '#5b8fb0',
    breast: '#f4d35e',
    head: '#2f6690',
    cheek: '#ffffff',
    crest: false,
    tail: 0.9,
  },
  {
    name: 'robin',
    back: '#8a6f4e',
    breast: '#e76f51',
    head: '#e76f51',
    cheek: '#e9c8a8',
    crest: false,
    tail: 0.9,
  },
  {
    name: 'goldfinch',
    back: '#c9a26b',
    breast: '#f3e3c3',
    head: '#d62839',
    cheek: '#ffffff',
    crest: false,
    tail: 1,
  },
  {
    name: 'wren',
    back: '#7b4b2a',
    breast: '#c58f5c',
    head: '#8a5a36',
    cheek: '#e3c199',
    crest: false,
    tail: 0.6,
  },
  {
    name: 'waxwing',
    back: '#b08968',
    breast: '#e6ccb2',
    head: '#9c6644',
    cheek: '#3d2c29',
    crest: true,
    tail: 0.9,
  },
  {
    name: 'long-tailed tit',
    back: '#5a4a4f',
    breast: '#f8e1e1',
    head: '#ffffff',
    cheek: '#f3c6cf',
    crest: false,
    tail: 1.9,
  },
  {
    name: 'kingfisher',
    back: '#118ab2',
    breast: '#f78c3b',
    head: '#0a6c93',
    cheek: '#ffe0b5',
    crest: true,
    tail: 0.6,
  },
  {
    name: 'bullfinch',
    back: '#7d8597',
    breast: '#f28482',
    head: '#22223b',
    cheek: '#f28482',
    crest: false,
    tail: 1,
  },
  {
    name: 'greenfinch',
    back: '#6a994e',
    breast: '#a7c957',
    head: '#588157',
    cheek: '#d4e09b',
    crest: false,
    tail: 1,
  },
  {
    name: 'nuthatch',
    back: '#7394b2',
    breast: '#f2c89b',
    head: '#7394b2',
    cheek: '#ffffff',
    crest: false,
    tail: 0.7,
  },
];

/** Draws a bird that looks to the right, some 200 by 160 units around (0, 0). */
export function birdShape(bird: Bird, { ink }: Palette): string {
  const tail = 62 * bird.tail;
  return [
    path(
      `M-58 8 L${-66 - tail} ${-8 - tail * 0.1} L${-62 - tail} 14 L-52 26 Z`,
      bird.back,
      `stroke="${ink}" stroke-opacity=".12"`,
    ),
    ellipse(0, 8, [72, 54], bird.breast),
    path('M-70 10 C-64 -48 -6 -66 44 -44 C30 4 -20 40 -70 10 Z', bird.back),
    path('M-50 6 C-34 -24 10 -30 26 -14 C10 22 -26 30 -50 6 Z', ink, 'opacity=".22"'),
    circle(48, -40, 36, bird.head),
    ...(bird.crest ? [path('M24 -66 C18 -96 2 -100 -10 -98 C12 -88 16 -70 22 -52 Z', bird.head)] : []),
    ellipse(56, -30, [20, 15], bird.cheek),
    path('M80 -46 L108 -36 L80 -28 Z', ink),
    circle(58, -46, 7, ink),
    circle(60.5, -48.5, 2.2, '#ffffff'),
  ].join('');
}

/** Two thin legs that stand at `y`. */
export const legs = (y: number, { ink }: Palette): string =>
  stroke(`M-10 56 L-14 ${y} M-22 ${y} L-6 ${y} M16 56 L14 ${y} M6 ${y} L24 ${y}`, ink, 4);

/** A bird on a line at its feet, at a place and size. */
export const perched = (
  bird: Bird,
  palette: Palette,
  place: { x: number; y: number; scale: number; left?: boolean },
): string =>
  group(
    `translate(${place.x} ${place.y}) scale(${place.left ? -place.scale : place.scale} ${place.scale}) translate(0 -82)`,
    [legs(82, palette), birdShape(bird, palette)],
  );
