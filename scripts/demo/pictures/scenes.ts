import type { Random } from '../random.ts';
import { BIRDS, perched } from './birds.ts';
import { MOTIFS } from './motifs.ts';
import type { Palette } from './palettes.ts';
import { buildings } from './streets.ts';
import { type Canvas, circle, ellipse, group, hills, n, path, rect, stars, stroke, sun } from './svg.ts';
import { tiles } from './tiles.ts';

/** Draws the content of a picture. */
export type Scene = (canvas: Canvas, palette: Palette, random: Random) => string[];

/** A bird on a branch with leaves, before a blurred wood. */
const birdScene =
  (name: string): Scene =>
  ({ width, height }, palette, random) => {
    const bird = BIRDS.find((each) => each.name === name) ?? BIRDS[0];
    const branch = height * 0.74;
    const blurs = Array.from({ length: 14 }, () =>
      circle(
        random.next() * width,
        random.next() * height,
        40 + random.next() * 110,
        random.pick([...palette.land.slice(0, 2), palette.light]),
        'opacity=".22"',
      ),
    );
    const leaves = Array.from({ length: 9 }, () => {
      const x = random.next() * width;
      return group(
        `translate(${n(x)} ${n(branch - 8 + random.between(-10, 26))}) rotate(${random.between(-70, 70)}) scale(.34)`,
        [MOTIFS.leaf(palette)],
      );
    });
    const place = {
      x: width * (0.42 + random.next() * 0.16),
      y: branch - 4,
      scale: height / 330,
      left: random.chance(0.5),
    };
    const line = `M0 ${n(branch + 20)} Q${n(width / 2)} ${n(branch - 22)} ${width} ${n(branch + 26)}`;
    return [
      ...blurs,
      stroke(line, palette.ink, 18),
      ...leaves,
      ...(bird ? [perched(bird, palette, place)] : []),
    ];
  };

const landscape: Scene = (canvas, palette, random) => {
  const { width, height } = canvas;
  const { land, accent, ink } = palette;
  const trees = Array.from({ length: random.between(6, 12) }, () => {
    const [x, y, tall] = [
      random.next() * width,
      height * (0.72 + random.next() * 0.1),
      30 + random.next() * 50,
    ];
    return (
      rect(x - 3, y - 8, [6, 22], ink) +
      path(`M${n(x)} ${n(y - tall)} L${n(x + tall * 0.36)} ${n(y)} L${n(x - tall * 0.36)} ${n(y)} Z`, land[2])
    );
  });
  return [
    sun(width * (0.2 + random.next() * 0.6), height * 0.28, height * 0.08, accent),
    hills(canvas, random, [height * 0.55, height * 0.26], land[0]),
    hills(canvas, random, [height * 0.7, height * 0.18], land[1]),
    ...trees,
    hills(canvas, random, [height * 0.88, height * 0.1], land[2]),
  ];
};

const water: Scene = (canvas, palette, random) => {
  const { width, height } = canvas;
  const shore = height * 0.6;
  const x = width * (0.3 + random.next() * 0.4);
  const ripples = Array.from({ length: 26 }, () =>
    rect(
      random.next() * width,
      shore + 14 + random.next() * (height - shore),
      [40 + random.next() * 120, 3],
      palette.light,
      'rx="2" opacity=".5"',
    ),
  );
  return [
    sun(width * random.next(), height * 0.26, height * 0.07, palette.accent),
    hills(canvas, random, [shore - 10, height * 0.2], palette.land[0]),
    rect(0, shore, [width, height - shore], palette.land[1]),
    ...ripples,
    group(`translate(${n(x)} ${n(shore + 20)}) scale(${n(height / 420)})`, [MOTIFS.boat(palette)]),
  ];
};

const nightSky: Scene = (canvas, palette, random) => [
  stars(canvas, random, 140, palette.light),
  group(`translate(${n(canvas.width * 0.74)} ${n(canvas.height * 0.26)}) scale(.9)`, [MOTIFS.moon(palette)]),
  hills(canvas, random, [canvas.height * 0.82, 90], palette.land[1]),
  hills(canvas, random, [canvas.height * 0.93, 60], palette.ink),
];

/** Rows of vegetables, seen from the path. */
const garden: Scene = (canvas, palette, random) => {
  const { width, height } = canvas;
  const { land, accent, light, ink } = palette;
  const rows = Array.from({ length: 5 }, (_, row) => {
    const y = height * (0.55 + row * 0.1);
    const size = 10 + row * 7;
    const kind = random.pick([land[1], land[2], accent]);
    const plants = Array.from({ length: 18 - row * 2 }, (_each, index) => {
      const x = ((index + 0.5) * width) / (18 - row * 2);
      return (
        ellipse(x, y, [size, size * 0.8], kind) +
        ellipse(x - size * 0.3, y - size * 0.3, [size * 0.4, size * 0.3], light, 'opacity=".35"')
      );
    });
    return rect(0, y, [width, height * 0.1 + 2], row % 2 ? '#8a5a3c' : '#7a4d33') + plants.join('');
  });
  const shed =
    rect(width * 0.68, height * 0.3, [170, 150], land[2]) +
    path(`M${n(width * 0.68 - 18)} ${n(height * 0.3)} l103 -62 l103 62 Z`, ink) +
    rect(width * 0.68 + 62, height * 0.3 + 50, [46, 100], accent);
  return [hills(canvas, random, [height * 0.5, 90], land[0]), shed, ...rows];
};

const table =
  (motif: keyof typeof MOTIFS): Scene =>
  ({ width, height }, palette, random) => {
    const cloth = Array.from({ length: 12 }, (_, index) =>
      rect((index * width) / 12, 0, [width / 24, height], palette.light, 'opacity=".35"'),
    );
    const crumbs = Array.from({ length: 20 }, () =>
      circle(
        random.next() * width,
        random.next() * height,
        2 + random.next() * 4,
        palette.land[2],
        'opacity=".5"',
      ),
    );
    const [x, y, r] = [width / 2, height * 0.53, height * 0.4];
    return [
      rect(0, 0, [width, height], palette.land[0]),
      ...cloth,
      ...crumbs,
      circle(x + 8, y + 12, r, palette.ink, 'opacity=".2"'),
      circle(x, y, r, palette.light),
      circle(x, y, r * 0.82, palette.sky[1]),
      group(`translate(${n(x)} ${n(y)}) rotate(${random.between(-12, 12)}) scale(${n(height / 330)})`, [
        MOTIFS[motif](palette),
      ]),
    ];
  };

/** One thing in the middle, before a ground of tiles or light. */
const still =
  (motif: keyof typeof MOTIFS): Scene =>
  (canvas, palette, random) => {
    const { width, height } = canvas;
    return [
      ...(random.chance(0.5)
        ? [tiles(canvas, palette, random), rect(0, 0, [width, height], palette.light, 'opacity=".55"')]
        : []),
      circle(width / 2, height / 2, height * 0.42, palette.sky[1]),
      group(`translate(${n(width / 2)} ${n(height / 2)}) scale(${n(height / 300)})`, [
        MOTIFS[motif](palette),
      ]),
    ];
  };

const meadow: Scene = (canvas, palette, random) => {
  const { width, height } = canvas;
  const flowers = Array.from({ length: 26 }, () => {
    const y = height * (0.55 + random.next() * 0.42);
    const scale = 0.12 + (y / height - 0.5) * 0.5;
    const x = random.next() * width;
    return (
      stroke(`M${n(x)} ${n(y)} L${n(x)} ${n(y + 160 * scale)}`, palette.land[2], 3) +
      group(`translate(${n(x)} ${n(y)}) scale(${scale.toFixed(2)})`, [MOTIFS.flower(palette)])
    );
  });
  return [
    hills(canvas, random, [height * 0.5, 100], palette.land[0]),
    hills(canvas, random, [height * 0.62, 60], palette.land[1]),
    ...flowers,
  ];
};

export const SCENES = {
  landscape,
  water,
  night: nightSky,
  garden,
  meadow,
  street: buildings,
  bread: table('loaf'),
  cup: table('cup'),
  bike: still('wheel'),
  books: still('books'),
  pot: still('pot'),
  radio: still('mast'),
  flower: still('flower'),
  train: still('train'),
  camera: still('camera'),
  quill: still('quill'),
  tiles: (canvas, palette, random) => [tiles(canvas, palette, random)],
  ...(Object.fromEntries(BIRDS.map(({ name }) => [name, birdScene(name)])) as Record<string, Scene>),
} as Record<string, Scene>;
