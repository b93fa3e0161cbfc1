import { randomFrom } from '../random.ts';
import { BIRDS, birdShape, perched } from './birds.ts';
import { type Motif, MOTIFS } from './motifs.ts';
import { type Palette, type PaletteName, PALETTES } from './palettes.ts';
import { type Canvas, circle, group, hills, path, rect, stroke, sun, svg } from './svg.ts';
import { tiles } from './tiles.ts';

/** The picture of a person: a bird by its name, or one of `MOTIFS`, on one of four grounds. */
export interface Portrait {
  motif: string;
  palette: PaletteName;
  ground: 'disc' | 'rays' | 'hills' | 'split';
}

const AVATAR: Canvas = { width: 400, height: 400 };
const HEADER: Canvas = { width: 1200, height: 400 };

/** Returns the avatar as SVG. */
export function avatar({ motif, palette, ground }: Portrait, seed: number): string {
  const colours = PALETTES[palette];
  const bird = BIRDS.find(({ name }) => name === motif);
  const shape = bird
    ? group('translate(186 214) scale(1.28)', [birdShape(bird, colours)])
    : group('translate(200 200) scale(1.3)', [MOTIFS[motif as Motif](colours)]);
  return svg(AVATAR, colours, [grounds[ground](colours, seed), shape]);
}

const grounds: Record<Portrait['ground'], (palette: Palette, seed: number) => string> = {
  disc: ({ land, light }) => rect(0, 0, [400, 400], land[0]) + circle(200, 200, 166, light, 'opacity=".75"'),
  rays: ({ sky, light }) =>
    rect(0, 0, [400, 400], sky[0]) +
    Array.from({ length: 12 }, (_, index) =>
      group(`rotate(${index * 30} 200 200)`, [path('M200 200 L160 -120 L240 -120 Z', light, 'opacity=".5"')]),
    ).join(''),
  hills: ({ land, accent }, seed) => {
    const random = randomFrom(seed, 'avatar hills');
    return (
      sun(300, 96, 40, accent) +
      hills(AVATAR, random, [300, 60], land[0]) +
      hills(AVATAR, random, [352, 40], land[1])
    );
  },
  split: ({ land, sky, light }) =>
    rect(0, 0, [400, 400], sky[1]) +
    path('M0 400 L400 0 L400 400 Z', land[0]) +
    circle(200, 200, 150, light, 'opacity=".55"'),
};

/** Returns the header as SVG: layers of hills, water, or tiles in the colours of the person. */
export function header({ palette, ground }: Portrait, seed: number): string {
  const colours = PALETTES[palette];
  const random = randomFrom(seed, 'header');
  if (ground === 'split') return svg(HEADER, colours, [tiles(HEADER, colours, random)]);
  const { land, accent, light } = colours;
  const place = 200 + random.next() * 800;
  const layers = [
    sun(place, 110 + random.next() * 60, 46, accent),
    hills(HEADER, random, [230, 110], land[0]),
    hills(HEADER, random, [290, 80], land[1]),
  ];
  if (ground === 'rays') {
    const waves = Array.from({ length: 7 }, (_, index) =>
      rect(place - 130 + index * 9, 322 + index * 11, [260 - index * 26, 4], light, 'rx="2" opacity=".7"'),
    );
    return svg(HEADER, colours, [...layers, rect(0, 306, [1200, 94], land[2]), ...waves]);
  }
  return svg(HEADER, colours, [
    ...layers,
    hills(HEADER, random, [360, 50], land[2]),
    reeds(colours, ground === 'disc' ? 40 : 0, seed),
  ]);
}

function reeds({ ink }: Palette, count: number, seed: number): string {
  const random = randomFrom(seed, 'reeds');
  return Array.from({ length: count }, () => {
    const [x, tall] = [random.next() * 1200, 30 + random.next() * 70];
    return path(
      `M${x.toFixed(1)} 400 q${(random.next() * 16 - 8).toFixed(1)} ${(-tall).toFixed(1)} 3 ${(-tall).toFixed(1)} q-2 20 2 ${tall.toFixed(1)} Z`,
      ink,
      'opacity=".75"',
    );
  }).join('');
}

const BANNER: Canvas = { width: 1200, height: 630 };

/** Returns the picture of the server as SVG. */
export function banner(seed: number): string {
  const colours = PALETTES.dawn;
  const random = randomFrom(seed, 'banner');
  const bird = BIRDS[0];
  return svg(BANNER, colours, [
    sun(880, 180, 70, colours.accent),
    hills(BANNER, random, [360, 140], colours.land[0]),
    hills(BANNER, random, [460, 110], colours.land[1]),
    hills(BANNER, random, [580, 70], colours.land[2]),
    stroke('M0 520 Q420 470 760 540', colours.ink, 16),
    ...(bird ? [perched(bird, colours, { x: 380, y: 490, scale: 1.9 })] : []),
  ]);
}
