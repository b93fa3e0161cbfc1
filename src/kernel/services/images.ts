import type { OnBehalf } from '../on-behalf.ts';

export interface ProcessedImage {
  data: Buffer;
  contentType: string;
  extension: string;
}

export interface Images {
  /** `file`: the bytes or a path. @throws RookeryError `invalid` for anything that is no image within the limits */
  processProfileImage(
    file: Buffer | string,
    kind: 'avatar' | 'header',
    onBehalf?: OnBehalf,
  ): Promise<{ original: ProcessedImage; static: ProcessedImage }>;
  /** @throws RookeryError `invalid` for anything that is no PNG, GIF or WebP within the limits of an emoji */
  processEmoji(file: Buffer): Promise<{ original: ProcessedImage; static: ProcessedImage }>;
  /** The banner of this server: `twice` is for dense screens. @throws RookeryError as `processProfileImage` */
  processBanner(file: Buffer): Promise<{ once: ProcessedImage; twice: ProcessedImage; blurhash: string }>;
  /** The icon of this server; `size` in pixels each way. @throws RookeryError as `processProfileImage` */
  processIcon(file: Buffer): Promise<{ size: number; image: ProcessedImage }[]>;
}
