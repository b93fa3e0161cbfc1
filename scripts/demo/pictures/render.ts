import sharp from 'sharp';
import { randomFrom } from '../random.ts';
import { type PaletteName, PALETTES } from './palettes.ts';
import { SCENES } from './scenes.ts';
import { type Canvas, svg } from './svg.ts';

/** A picture of a post. */
export interface PictureOf {
  /** A name of `SCENES`. */
  scene: string;
  palette: PaletteName;
  shape: keyof typeof SHAPES;
  seed: number;
}

const SHAPES = {
  wide: { width: 1200, height: 800 },
  square: { width: 900, height: 900 },
  tall: { width: 800, height: 1100 },
} as const satisfies Record<string, Canvas>;

/** Returns the picture as SVG. @throws Error for an unknown scene */
export function pictureSvg({ scene, palette, shape, seed }: PictureOf): string {
  const draw = SCENES[scene];
  if (!draw) throw new Error(`There is no scene ${scene}`);
  const [canvas, colours] = [SHAPES[shape], PALETTES[palette]];
  return svg(canvas, colours, draw(canvas, colours, randomFrom(seed, scene)));
}

/** Renders SVG as JPEG, for photographs, or PNG, where it may be transparent. */
export const render = (drawing: string, format: 'jpeg' | 'png', width?: number): Promise<Buffer> => {
  const image = sharp(Buffer.from(drawing)).resize(width ? { width } : undefined);
  return format === 'png'
    ? image.png({ compressionLevel: 4 }).toBuffer()
    : image.flatten({ background: '#ffffff' }).jpeg({ quality: 86 }).toBuffer();
};
