import { z } from 'zod';
import { mediaMeta, mediaType } from '../kernel/media.ts';
import { MEDIA_ORIGIN, urlBelow } from '../kernel/ready-json.ts';
import { id, url } from './common.ts';

/** Longest description that is stored. What people write here has a lower bound; other servers may send more. */
const MAX_STORED_DESCRIPTION = 10_000;

/** A key of the media store (`src/media/store.ts`), or the address of a file on another server. */
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
    meta: data.meta,
    description: data.description,
    blurhash: data.blurhash,
  }).slice(1);
  return (
    `{"id":"${data.id}","type":"${data.type}","url":${placeUrl(data.file)},` +
    `"preview_url":${placeUrl(data.preview)},${rest}`
  );
}

const placeUrl = (place: string | null): string => {
  if (place === null) return 'null';
  return /^https?:/.test(place) ? JSON.stringify(place) : urlBelow(MEDIA_ORIGIN, `/${place}`);
};
