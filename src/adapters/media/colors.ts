import type { Thumbnail } from '#kernel/services/media.ts';
import { sharp } from './sharp.ts';

type Rgb = readonly [number, number, number];

/** WCAG 2.2, 1.4.3: the contrast that readable text needs. */
const MIN_CONTRAST = 4.5;
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];

/**
 * Returns colours for a player around a picture: the most common one at its edge, the most common one that is
 * readable on it, and the most vivid distinguishable one.
 */
export async function colorsOf(image: Buffer): Promise<Thumbnail['colors']> {
  const width = 48;
  const { data, info } = await sharp(image)
    .resize({ width, height: width, fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const all = new Palette();
  const edge = new Palette();
  for (let index = 0; index < info.width * info.height; index += 1) {
    const color: Rgb = [data[index * 3] ?? 0, data[index * 3 + 1] ?? 0, data[index * 3 + 2] ?? 0];
    const x = index % info.width;
    const y = Math.floor(index / info.width);
    all.add(color);
    if (Math.min(x, y, info.width - 1 - x, info.height - 1 - y) < 4) edge.add(color);
  }
  const background = edge.common()[0] ?? BLACK;
  const readable = all.common().filter((color) => contrast(color, background) >= MIN_CONTRAST);
  const plain = contrast(WHITE, background) >= contrast(BLACK, background) ? WHITE : BLACK;
  const foreground = readable[0] ?? plain;
  const [accent = foreground] = all
    .common()
    .filter((color) => contrast(color, background) >= MIN_CONTRAST / 2)
    .sort((a, b) => vividness(b) - vividness(a));
  return { background: hex(background), foreground: hex(foreground), accent: hex(accent) };
}

/** Counts similar colours (four bits per channel) as one, and knows the mean of each. */
class Palette {
  readonly #bins = new Map<number, { count: number; sum: [number, number, number] }>();

  add([r, g, b]: Rgb): void {
    const key = ((r >> 4) << 8) | ((g >> 4) << 4) | (b >> 4);
    const bin = this.#bins.get(key) ?? { count: 0, sum: [0, 0, 0] };
    bin.count += 1;
    bin.sum = [bin.sum[0] + r, bin.sum[1] + g, bin.sum[2] + b];
    this.#bins.set(key, bin);
  }

  /** Returns the colours, the most common first. */
  common(): Rgb[] {
    return [...this.#bins.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ count, sum: [r, g, b] }) => [r / count, g / count, b / count] as const);
  }
}

/** WCAG 2.2, relative luminance. */
function luminance(color: Rgb): number {
  const [r, g, b] = color.map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}

const vividness = (color: Rgb): number => Math.max(...color) - Math.min(...color);
const hex = (color: Rgb): string =>
  `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
