import { z } from 'zod';
import { mediaMeta, mediaType, type MediaMeta, type MediaType } from '../mastodon/media-limits.ts';
import { MEDIA_ORIGIN, urlBelow } from '../mastodon/ready-json.ts';
import { isRemotePlace, remoteMediaUrl } from '../mastodon/remote-media.ts';
import { id, url } from './common.ts';

/** UTF-16 units of the longest description that is stored: 10,000 characters. */
const MAX_STORED_DESCRIPTION = 20_000;

/** A key of the media store (`src/adapters/media/store.ts`), or the address of a file on another server. */
export const mediaPlace = z.string().max(2_048);

/** One attachment as events carry it: all that is needed to show it. */
export const mediaAttachment = z.object({
  id,
  type: mediaType,
  /** null while it is being processed, or where there is nothing to fetch. */
  file: mediaPlace.nullable(),
  /** null for audio without a cover. */
  preview: mediaPlace.nullable(),
  /** Where another server has it; null for our own. */
  remote_url: url.nullable(),
  meta: mediaMeta.nullable(),
  /** Written by a person: an event that carries attachments names them in `personal`. */
  description: z.string().max(MAX_STORED_DESCRIPTION).nullable(),
  blurhash: z.string().max(200).nullable(),
});
export type MediaAttachmentData = z.infer<typeof mediaAttachment>;

/** https://docs.joinmastodon.org/entities/MediaAttachment/ as ready JSON, hosts still to be filled in. */
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

/** Where another server names no preview, this one makes it of the file. */
function previewUrl(data: MediaAttachmentData): string {
  if (hasOwnPreview(data)) return remoteMediaUrl('attachments', data.file, 'small');
  return isRemotePlace(data.preview) ? remoteMediaUrl('previews', data.preview) : storedUrl(data.preview);
}

/** True for a remote file of which the preview is made here. */
export const hasOwnPreview = (
  data: Pick<MediaAttachmentData, 'type' | 'file' | 'preview'>,
): data is typeof data & { file: string } =>
  isRemotePlace(data.file) &&
  (data.preview === null ? data.type === 'video' || data.type === 'gifv' : data.preview === data.file);

const storedUrl = (place: string | null): string =>
  place === null ? 'null' : urlBelow(MEDIA_ORIGIN, `/${place}`);

/** Findings of the rendering of a file. */
interface Found {
  blurhash: string | null;
  meta: MediaMeta;
  media_type?: MediaType | undefined;
}
type Looks = Pick<MediaAttachmentData, 'type' | 'blurhash' | 'meta'>;

/** An attachment with what was found out about it; what is known already stays, except that a video without sound is an animation. */
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

/** Whether all is known of it that its rendering could tell. A sound has no looks, a picture no duration. */
export const isDescribed = ({ type, blurhash, meta }: Looks): boolean =>
  (type === 'audio' || blurhash !== null) &&
  (type === 'image' || type === 'unknown' ? meta?.original : meta?.original?.duration) !== undefined;
