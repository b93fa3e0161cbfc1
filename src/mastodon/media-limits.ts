import { z } from 'zod';

/**
 * The figures of Mastodon's instance endpoint:
 * https://docs.joinmastodon.org/entities/Instance/#media_attachments
 */
export const MEDIA_LIMITS = {
  /** Bytes of an image, animated GIFs included. */
  imageBytes: 16 * 1024 * 1024,
  /** Pixels of an uploaded image. */
  imagePixels: 33_177_600,
  /** Pixels of an uploaded AVIF, whose decoder takes some 100 ms per million: 4096x4096. */
  avifPixels: 16_777_216,
  /** Pixels of an uploaded GIF: https://docs.joinmastodon.org/user/posting/#media */
  gifPixels: 1280 * 720,
  /** Bytes of a video or an audio file. */
  videoBytes: 99 * 1024 * 1024,
  /** Pixels of a frame. */
  videoPixels: 8_294_400,
  /** Frames per second. */
  videoFrameRate: 120,
  /** Frames of a video, 5 minutes at 120 per second. */
  videoFrames: 36_000,
  /** Pixels of all frames of a transcoded video: 36,000 of 1920x1080. */
  renderedPixels: 36_000 * 1_920 * 1_080,
  /** Seconds of a transcoded video or sound. */
  renderedSeconds: 6 * 3_600,
  /** Characters. */
  description: 10_000,
  /** Attachments of one status. */
  perStatus: 4,
} as const;

/** The types of uploads, under the names that clients look for. The bytes decide, not the client's claim. */
export const MEDIA_TYPES = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
  ...['video/webm', 'video/mp4', 'video/quicktime', 'video/ogg'],
  ...[
    'audio/wave',
    'audio/wav',
    'audio/x-wav',
    'audio/x-pn-wave',
    'audio/vnd.wave',
    'audio/ogg',
    'audio/vorbis',
  ],
  ...['audio/mpeg', 'audio/mp3', 'audio/webm', 'audio/flac', 'audio/aac', 'audio/m4a', 'audio/x-m4a'],
  ...['audio/mp4', 'audio/3gpp', 'video/x-ms-asf'],
] as const;

/**
 * The types of stored files that a browser may show directly, by file extension. HTML and SVG are excluded:
 * they would run scripts on this server's origin.
 */
export const FILE_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.heic': 'image/heic',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.ogg': 'audio/ogg',
  '.oga': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
};

export const mediaType = z.enum(['unknown', 'image', 'gifv', 'video', 'audio']);
export type MediaType = z.infer<typeof mediaType>;

const pixels = z.int().min(0);
const positive = z.number().min(0);
const rendition = z.object({
  width: pixels.optional(),
  height: pixels.optional(),
  /** `640x480` */
  size: z.string().max(40).optional(),
  aspect: positive.optional(),
  /** A fraction: `30000/1001`. */
  frame_rate: z.string().max(40).optional(),
  /** Seconds. */
  duration: positive.optional(),
  /** Bits per second. */
  bitrate: pixels.optional(),
});
const color = z.string().regex(/^#[0-9a-f]{6}$/);

/** Media metadata under Mastodon's names: https://docs.joinmastodon.org/entities/MediaAttachment/#meta */
export const mediaMeta = z.object({
  /** `0:01:28.65` */
  length: z.string().max(40).optional(),
  duration: positive.optional(),
  fps: positive.optional(),
  size: z.string().max(40).optional(),
  width: pixels.optional(),
  height: pixels.optional(),
  aspect: positive.optional(),
  audio_encode: z.string().max(200).optional(),
  audio_bitrate: z.string().max(200).optional(),
  audio_channels: z.string().max(200).optional(),
  original: rendition.optional(),
  small: rendition.optional(),
  focus: z.object({ x: z.number().min(-1).max(1), y: z.number().min(-1).max(1) }).optional(),
  /** Colours of a sound's cover or thumbnail, for players. */
  colors: z.object({ background: color, foreground: color, accent: color }).optional(),
});
export type MediaMeta = z.infer<typeof mediaMeta>;
