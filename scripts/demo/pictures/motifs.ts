import type { Palette } from './palettes.ts';
import { circle, ellipse, group, path, rect, stroke } from './svg.ts';

/** Things that fill some 200 by 200 units around (0, 0), for avatars, emojis and scenes. */
export const MOTIFS = {
  leaf: ({ land, light }: Palette) =>
    path('M0 92 C-92 40 -70 -60 0 -96 C70 -60 92 40 0 92 Z', land[1]) +
    path('M0 92 C92 40 70 -60 0 -96 Z', land[2], 'opacity=".55"') +
    stroke('M0 92 L0 -70 M0 50 L-34 20 M0 50 L34 20 M0 6 L-32 -24 M0 6 L32 -24', light, 6),
  wheel: ({ ink, accent, light }: Palette) =>
    circle(0, 0, 88, 'none', `stroke="${ink}" stroke-width="14"`) +
    circle(0, 0, 74, 'none', `stroke="${accent}" stroke-width="6"`) +
    Array.from({ length: 12 }, (_, index) =>
      group(`rotate(${index * 30})`, [stroke('M0 0 L0 -72', light, 4)]),
    ).join('') +
    circle(0, 0, 16, ink),
  books: ({ land, accent, light, ink }: Palette) =>
    rect(-88, 40, [176, 34], land[2], 'rx="6"') +
    rect(-72, 4, [150, 34], accent, 'rx="6"') +
    rect(-84, -32, [160, 34], land[1], 'rx="6"') +
    group('translate(6 -72) rotate(-8)', [
      rect(-74, 0, [148, 32], light, 'rx="6"'),
      rect(-52, 8, [40, 6], ink, 'opacity=".5"'),
    ]) +
    rect(-60, 14, [48, 6], light, 'opacity=".7"') +
    rect(-52, 50, [60, 6], light, 'opacity=".7"'),
  cup: ({ accent, light, ink }: Palette) =>
    circle(62, 22, 30, 'none', `stroke="${accent}" stroke-width="14"`) +
    path('M-70 -24 L70 -24 L56 70 Q52 86 34 86 L-34 86 Q-52 86 -56 70 Z', accent) +
    ellipse(0, -24, [70, 16], light) +
    ellipse(0, -22, [58, 11], ink, 'opacity=".55"') +
    stroke('M-24 -52 C-40 -70 -8 -80 -24 -100 M18 -52 C2 -70 34 -80 18 -100', light, 8),
  loaf: ({ land, light }: Palette) =>
    path(
      'M-92 44 C-112 -40 -40 -72 0 -70 C40 -72 112 -40 92 44 Q90 66 64 66 L-64 66 Q-90 66 -92 44 Z',
      land[1],
    ) +
    stroke('M-50 -34 C-30 -10 -30 12 -44 30 M2 -44 C22 -18 22 8 8 28 M50 -32 C66 -10 66 10 54 28', light, 11),
  flower: ({ accent, light, land }: Palette) =>
    Array.from({ length: 8 }, (_, index) =>
      group(`rotate(${index * 45})`, [ellipse(0, -56, [24, 42], index % 2 ? accent : light)]),
    ).join('') +
    circle(0, 0, 30, land[2]) +
    circle(0, 0, 17, light, 'opacity=".35"'),
  boat: ({ accent, light, ink, land }: Palette) =>
    path('M-90 34 L90 34 L62 76 L-66 76 Z', land[2]) +
    path('M-6 24 L-6 -96 L-78 24 Z', light) +
    path('M6 24 L6 -78 L64 24 Z', accent) +
    rect(-4, -100, [7, 136], ink),
  mast: ({ accent, ink, light }: Palette) =>
    stroke('M0 -44 L-40 90 M0 -44 L40 90 M-14 4 L14 4 M-24 40 L24 40 M-24 40 L14 4 M24 40 L-14 4', ink, 8) +
    circle(0, -52, 14, accent) +
    stroke('M-34 -22 A44 44 0 0 1 -34 -84 M34 -22 A44 44 0 0 0 34 -84', light, 9) +
    stroke('M-58 0 A78 78 0 0 1 -58 -106 M58 0 A78 78 0 0 0 58 -106', light, 9, 'opacity=".65"'),
  moon: ({ accent, light }: Palette) =>
    path('M30 -88 A92 92 0 1 0 88 44 A76 76 0 0 1 30 -88 Z', accent) +
    circle(50, -30, 6, light) +
    circle(78, -66, 4, light) +
    circle(20, -14, 4, light),
  pot: ({ accent, land, light }: Palette) =>
    path('M-44 -70 L44 -70 L36 -46 C92 -22 84 84 40 88 L-40 88 C-84 84 -92 -22 -36 -46 Z', accent) +
    stroke('M-66 6 L66 6 M-70 30 L70 30', light, 7) +
    stroke('M-58 18 l16 -8 l16 8 l16 -8 l16 8 l16 -8 l16 8 l16 -8', land[2], 5),
  camera: ({ ink, accent, light, land }: Palette) =>
    rect(-92, -46, [184, 120], ink, 'rx="20"') +
    rect(-34, -70, [68, 34], ink, 'rx="10"') +
    circle(0, 14, 46, light) +
    circle(0, 14, 34, land[1]) +
    circle(10, 4, 12, light, 'opacity=".6"') +
    circle(66, -22, 9, accent),
  quill: ({ ink, light, accent }: Palette) =>
    path('M84 -94 C10 -84 -56 -20 -60 54 C0 44 72 -8 84 -94 Z', light) +
    stroke('M84 -94 C40 -40 -10 20 -80 92', ink, 7) +
    stroke('M-84 94 C-40 84 -10 98 30 88', accent, 8),
  train: ({ accent, ink, light, land }: Palette) =>
    rect(-74, -82, [148, 138], accent, 'rx="30"') +
    rect(-52, -56, [104, 52], light, 'rx="10"') +
    circle(-44, 28, 12, light) +
    circle(44, 28, 12, light) +
    stroke('M-56 92 L-34 58 M56 92 L34 58 M-50 84 L50 84', ink, 9) +
    rect(-74, 4, [148, 10], land[2]),
  peaks: ({ land, light, accent }: Palette) =>
    circle(52, -58, 26, accent) +
    path('M-100 82 L-24 -70 L30 34 L52 -2 L100 82 Z', land[2]) +
    path('M-24 -70 L2 -20 L-16 -30 L-32 -12 L-50 -18 Z', light),
} as const satisfies Record<string, (palette: Palette) => string>;
export type Motif = keyof typeof MOTIFS;
