import { z } from 'zod';
import { type MediaMeta, mediaMeta, type MediaType, mediaType } from '#mastodon/media-limits.ts';
import { MEDIA_ORIGIN, urlBelow } from '#mastodon/ready-json.ts';
import { isRemotePlace, remoteMediaUrl } from '#mastodon/remote-media.ts';
import { id, url } from './common.ts';

/** UTF-16 units of the longest stored description: 10,000 characters. */
const MAX_STORED_DESCRIPTION = 20_000;

/** A key of the media store (`src/adapters/media/store.ts`), or the address of a file on another server. */
export const mediaPlace = z.string().max(2_048);

/** One attachment in the form of events: everything that is needed to show it. */
export const mediaAttachment = z.object({
  id,
  type: mediaType,
  /** null while it is processed, or when there is no file to fetch. */
  file: mediaPlace.nullable(),
  /** null for audio without a cover. */
  preview: mediaPlace.nullable(),
  /** The address of the original on another server; null for local files. */
  remote_url: url.nullable(),
  meta: mediaMeta.nullable(),
  /** Written by a user: an event with attachments lists them in `personal`. */
  description: z.string().max(MAX_STORED_DESCRIPTION).nullable(),
  blurhash: z.string().max(200).nullable(),
});
export type MediaAttachmentData = z.infer<typeof mediaAttachment>;

/**
 * Returns https://docs.joinmastodon.org/entities/MediaAttachment/ as ready JSON; the hosts are filled in
 * later.
 */
export function mediaAttachmentJson(data: MediaAttachmentData): string {
  const rest = JSON.stringify({
    remote_url: data.remote_url,
    preview_remote_url: isRemotePlace(data.preview) && data.preview !== data.file ? data.preview : null,
    text_url: null,
    meta: data.meta,
    description: data.description,
    blurhash: data.blurhash,
  }).slice(1);
  return `{"id":"${data.id}","type":"${data.type}","url":${fileUrl(data)},"preview_url":${previewUrl(data)},${rest}`;
}

const fileUrl = ({ file }: MediaAttachmentData): string =>
  isRemotePlace(file) ? remoteMediaUrl('attachments', file) : storedUrl(file);

/** Without a preview by the other server, this one makes it from the file. */
function previewUrl(data: MediaAttachmentData): string {
  if (hasOwnPreview(data)) return remoteMediaUrl('attachments', data.file, 'small');
  return isRemotePlace(data.preview) ? remoteMediaUrl('previews', data.preview) : storedUrl(data.preview);
}

/** Tells whether this server makes the preview of a remote file. */
export const hasOwnPreview = (
  data: Pick<MediaAttachmentData, 'type' | 'file' | 'preview'>,
): data is typeof data & { file: string } =>
  isRemotePlace(data.file) &&
  (data.preview === null ? data.type === 'video' || data.type === 'gifv' : data.preview === data.file);

const storedUrl = (place: string | null): string =>
  place === null ? 'null' : urlBelow(MEDIA_ORIGIN, `/${place}`);

/** The results of rendering a file. */
interface Found {
  blurhash: string | null;
  meta: MediaMeta;
  media_type?: MediaType | undefined;
}
type Looks = Pick<MediaAttachmentData, 'type' | 'blurhash' | 'meta'>;

/**
 * Returns an attachment with the results. Known values stay, except that a video without sound is an
 * animation.
 */
export const describedMedia = <Attachment extends Looks>(
  attachment: Attachment,
  found: Found,
): Attachment => ({
  ...attachment,
  type: attachment.type === 'video' && found.media_type === 'gifv' ? 'gifv' : attachment.type,
  blurhash: attachment.blurhash ?? found.blurhash,
  meta: { ...found.meta, ...attachment.meta, ...originalOf(attachment, found) },
});

const originalOf = (attachment: Looks, { meta }: Found): Pick<MediaMeta, 'original'> => {
  const original = { ...meta.original, ...attachment.meta?.original };
  return Object.keys(original).length === 0 ? {} : { original };
};

/**
 * Tells whether everything that rendering could find out is known. A sound has no looks, a picture no
 * duration.
 */
export const isDescribed = ({ type, blurhash, meta }: Looks): boolean =>
  (type === 'audio' || blurhash !== null) &&
  (type === 'image' || type === 'unknown' ? meta?.original : meta?.original?.duration) !== undefined;
