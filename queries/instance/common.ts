import type { InstanceSettings } from '#events/instance.ts';
import type { Instance as Host } from '#kernel/context.ts';
import { CHARACTERS_PER_URL, MAX_CHARACTERS } from '#mastodon/limits.ts';
import { MEDIA_LIMITS, MEDIA_TYPES } from '#mastodon/media-limits.ts';

/** The common part of both versions of the instance entity. */
export const statusLimits = {
  max_characters: MAX_CHARACTERS,
  max_media_attachments: MEDIA_LIMITS.perStatus,
  characters_reserved_per_url: CHARACTERS_PER_URL,
};

export const mediaLimits = {
  supported_mime_types: [...MEDIA_TYPES],
  image_size_limit: MEDIA_LIMITS.imageBytes,
  image_matrix_limit: MEDIA_LIMITS.imagePixels,
  video_size_limit: MEDIA_LIMITS.videoBytes,
  video_frame_rate_limit: MEDIA_LIMITS.videoFrameRate,
  video_matrix_limit: MEDIA_LIMITS.videoPixels,
};

/** The streaming API is on this server as well: `wss://social.example`. */
export const streamingUrl = ({ origin }: Host): string => origin.replace(/^http/, 'ws');

export const titleOf = ({ title }: InstanceSettings, { domain }: Pick<Host, 'domain'>): string =>
  title || domain;

/** The banner; where there is none, the picture of profiles without a header. */
export const thumbnailUrl = ({ thumbnail }: InstanceSettings, { origin, mediaOrigin }: Host): string =>
  thumbnail ? `${mediaOrigin}/${thumbnail['@1x']}` : `${origin}/headers/original/missing.png`;
