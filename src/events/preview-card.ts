import { z } from 'zod';
import { MEDIA_ORIGIN, urlBelow } from '#mastodon/ready-json.ts';
import { isRemotePlace, remoteMediaUrl } from '#mastodon/remote-media.ts';
import { id, time, url } from './common.ts';
import { mediaPlace } from './media-attachment.ts';

const text = z.string().max(1_000);
const address = url.or(z.literal(''));

/** A page's description of itself, as plain text. This server makes `html`, for addresses on its list. */
export const previewCard = z.object({
  url,
  type: z.enum(['link', 'photo', 'video']),
  title: text,
  description: text,
  language: z.string().max(35).nullable(),
  author_name: text,
  author_url: address,
  /** The account that the page names as its author, and that allows the page's host to do so. */
  author_account_id: id.optional(),
  provider_name: text,
  provider_url: address,
  html: z.string().max(5_000),
  width: z.int().min(0),
  height: z.int().min(0),
  embed_url: address,
  /** The address of a picture on the page's server; in older events a key of the media store. */
  image: mediaPlace.nullable(),
  image_description: text,
  blurhash: z.string().max(200).nullable(),
  published_at: time.nullable(),
});
export type PreviewCardData = z.infer<typeof previewCard>;

/**
 * Returns https://docs.joinmastodon.org/entities/PreviewCard/ as ready JSON; the hosts and the author's account are filled in later.
 */
export function previewCardJson({ image, author_account_id: credited, ...card }: PreviewCardData): string {
  const { author_name: name, author_url: authorUrl } = card;
  const isNamed = name !== '' || authorUrl !== '' || credited !== undefined;
  const authors = isNamed ? [{ name, url: authorUrl, account: null }] : [];
  const rest = JSON.stringify({ ...card, authors, missing_attribution: false });
  return `${rest.slice(0, -1)},"image":${imageUrl(image)}}`;
}

function imageUrl(image: string | null): string {
  if (image === null) return 'null';
  return isRemotePlace(image) ? remoteMediaUrl('cards', image) : urlBelow(MEDIA_ORIGIN, `/${image}`);
}
