import { MEDIA_TYPES } from '../../mastodon/media-limits.ts';
import { invalid } from '../../kernel/errors.ts';

/** The kind of a file by its bytes: pictures are decoded here, all else by ffmpeg. */
export type Sniffed = { kind: 'image' | 'gif' | 'stream'; mime: string };

/** @throws RookeryError `invalid` for what is not supported, whatever its name says */
export async function sniff(path: string): Promise<Sniffed> {
  const { fileTypeFromFile } = await import('file-type');
  // A file that is cut off in the middle of its header is nothing that is known.
  const mime = (await fileTypeFromFile(path).catch(() => undefined))?.mime ?? '';
  if (mime === 'image/gif') return { kind: 'gif', mime };
  if (IMAGES.has(mime)) return { kind: 'image', mime };
  if (STREAMS.has(mime)) return { kind: 'stream', mime };
  if (/^image\/hei[cf]/.test(mime)) {
    throw invalid('Validation failed: File HEIC images cannot be read by this server');
  }
  throw invalid('Validation failed: File content type is invalid, File is invalid');
}

const IMAGES = new Set([...MEDIA_TYPES.filter((type) => type.startsWith('image/')), 'image/apng']);
/** Those of the list, and the names that file-type has for some of them. */
const STREAMS = new Set<string>([
  ...MEDIA_TYPES.filter((type) => !type.startsWith('image/')),
  ...['video/x-m4v', 'video/3gpp', 'video/3gpp2', 'application/ogg', 'audio/ogg; codecs=opus'],
  ...['audio/x-ms-asf', 'application/vnd.ms-asf'],
]);
