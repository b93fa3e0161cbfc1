import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { Id } from '#kernel/ids.ts';
import type { MediaType } from '#mastodon/media-limits.ts';
import { type Foreign, isObject, listOf, naturalText, typesOf, webAddress } from './json.ts';

const MAX_ATTACHMENTS = 16;
const MAX_DESCRIPTION = 10_000;
const MAX_PIXELS = 1_000_000;
/** https://blurha.sh: at least a size, a maximum and one colour; 9 × 9 parts at most. */
const BLURHASH = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,166}$/;

/** Returns the files that another server attached to a post. They stay on that server. */
export function attachmentsOf(values: readonly unknown[], newId: () => Id): MediaAttachmentData[] {
  return values
    .filter(isFile)
    .slice(0, MAX_ATTACHMENTS)
    .map((value) => attachment(value, addressOf(value) ?? '', newId()));
}

/** An attachment with an address of its own. */
export const isFile = (value: unknown): value is Foreign => isObject(value) && addressOf(value) !== undefined;

const PICTURE_NAME = /\.(?:avif|gif|heic|jfif|jpe?g|png|webp)$/i;
const MAX_ADDRESSES = 10;

/** Returns the picture that an `Image` object is, as an attachment: the first of its addresses that is one of a picture. */
export function pictureIn(document: Foreign): Foreign[] {
  if (!typesOf(document).includes('Image')) return [];
  const isPicture = (link: unknown): boolean => {
    const type = (isObject(link) ? link['mediaType'] : undefined) ?? document['mediaType'];
    if (typeof type === 'string') return /^image\//i.test(type);
    return PICTURE_NAME.test(URL.parse(webAddress(link) ?? '')?.pathname ?? '');
  };
  const url = listOf(document['url'], MAX_ADDRESSES).find(isPicture);
  return url === undefined ? [] : [{ ...document, url }];
}

/** Returns the page of the first attached link, as Mastodon 4.7 sends the card of a post; undefined for none. */
export function linkedPageIn(values: readonly unknown[]): string | undefined {
  const links = values.filter((value) => isObject(value)).filter((value) => typesOf(value).includes('Link'));
  return links.map(({ href }) => webAddress(href)).find((page) => page !== undefined);
}

function attachment(value: Foreign, address: string, id: Id): MediaAttachmentData {
  const type = typeOf(value);
  const description =
    naturalText(value, 'summary', MAX_DESCRIPTION) || naturalText(value, 'name', MAX_DESCRIPTION);
  const blurhash = value['blurhash'];
  return {
    id,
    type,
    file: address,
    preview: type === 'image' ? address : (webAddress(listOf(value['icon'], 1)[0]) ?? null),
    remote_url: address,
    meta: metaOf(value),
    description: description === '' ? null : description,
    blurhash: typeof blurhash === 'string' && BLURHASH.test(blurhash) ? blurhash : null,
  };
}

const addressOf = (value: Foreign): string | undefined => webAddress(listOf(value['url'], 1)[0]);

function typeOf(value: Foreign): MediaType {
  const [link] = listOf(value['url'], 1);
  const said = value['mediaType'] ?? (isObject(link) ? link['mediaType'] : undefined);
  const kind = typeof said === 'string' ? said.split('/')[0]?.toLowerCase() : undefined;
  if (kind === 'image' || kind === 'video' || kind === 'audio') return kind;
  const known = { Image: 'image', Video: 'video', Audio: 'audio' } as const;
  const [type] = typesOf(value);
  return known[type as keyof typeof known] ?? 'unknown';
}

function metaOf(value: Foreign): MediaAttachmentData['meta'] {
  const { width, height } = value;
  const isSize = (size: unknown): size is number =>
    Number.isSafeInteger(size) && (size as number) > 0 && (size as number) <= MAX_PIXELS;
  const [x, y] = listOf(value['focalPoint'], 2);
  const isPlace = (place: unknown): place is number => typeof place === 'number' && Math.abs(place) <= 1;
  const focus = isPlace(x) && isPlace(y) ? { focus: { x, y } } : {};
  const original =
    isSize(width) && isSize(height)
      ? { original: { width, height, size: `${width}x${height}`, aspect: width / height } }
      : {};
  const meta = { ...original, ...focus };
  return Object.keys(meta).length === 0 ? null : meta;
}
