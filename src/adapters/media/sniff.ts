import { invalid } from '#kernel/errors.ts';
import { MEDIA_TYPES } from '#mastodon/media-limits.ts';

/**
 * The kind of a file, by its bytes: the image library decodes pictures, ffmpeg everything else. An animation may have one
 * frame only.
 */
export type Sniffed = { kind: 'image' | 'animation' | 'stream'; mime: string };

/** @throws RookeryError `invalid` for an unsupported file, whatever its name */
export async function sniff(path: string): Promise<Sniffed> {
  const { fileTypeFromFile } = await import('file-type');
  // A file that ends in the middle of its header has no known type.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? '';
  if (mime === 'image/gif' || mime === 'image/apng') return { kind: 'animation', mime };
  if (IMAGES.has(mime)) return { kind: 'image', mime };
  if (STREAMS.has(mime)) return { kind: 'stream', mime };
  if (/^image\/hei[cf]/.test(mime)) {
    throw invalid('Validation failed: File HEIC images cannot be read by this server');
  }
  throw invalid('Validation failed: File content type is invalid, File is invalid');
}

const IMAGES = new Set<string>(MEDIA_TYPES.filter((type) => type.startsWith('image/')));
/** The types on the list, and file-type's names for some of them. */
const STREAMS = new Set<string>([
  ...MEDIA_TYPES.filter((type) => !type.startsWith('image/')),
  ...['video/x-m4v', 'video/3gpp', 'video/3gpp2', 'application/ogg', 'audio/ogg; codecs=opus'],
  ...['audio/x-ms-asf', 'application/vnd.ms-asf'],
]);
