import { createHash } from 'node:crypto';
import { ORIGIN, urlBelow } from './ready-json.ts';

/*
 * The addresses at which this server serves remote files: `/media_proxy/<kind>/<digest>/<variant>`.
 * Projections print them, so they depend on the remote address alone.
 * `docs/decisions/0701-remote-media-cache.md` has the reasons.
 */

export const REMOTE_MEDIA_KINDS = [
  'avatars',
  'headers',
  'attachments',
  'previews',
  'emojis',
  'cards',
] as const;
export type RemoteMediaKind = (typeof REMOTE_MEDIA_KINDS)[number];

/** `small` is the preview of an attachment, `static` a still picture. */
export type RemoteMediaVariant = 'original' | 'small' | 'static';

export const REMOTE_MEDIA_VARIANTS: Readonly<Record<RemoteMediaKind, readonly RemoteMediaVariant[]>> = {
  avatars: ['original', 'static'],
  headers: ['original', 'static'],
  attachments: ['original', 'small'],
  previews: ['original'],
  emojis: ['original', 'static'],
  cards: ['original'],
};

/** One file that clients can request. */
export interface RemoteMediaId {
  kind: RemoteMediaKind;
  digest: string;
  variant: RemoteMediaVariant;
}

/** 18 bytes are 24 characters of base64url. */
const DIGEST_BYTES = 18;

/** Returns the digest of a remote address. */
export const remoteMediaDigest = (url: string): string =>
  createHash('sha256').update(url).digest().subarray(0, DIGEST_BYTES).toString('base64url');

export const isRemoteMediaDigest = (text: string): boolean => /^[\w-]{24}$/.test(text);

/** Tells the address of a remote file from a key of the media store. */
export const isRemotePlace = (place: string | null | undefined): place is `http${string}` =>
  place != null && /^https?:/.test(place);

/** Returns a JSON string: this server's address of a remote file, below `ORIGIN`. */
export const remoteMediaUrl = (
  kind: RemoteMediaKind,
  url: string,
  variant: RemoteMediaVariant = 'original',
): string => urlBelow(ORIGIN, `/media_proxy/${kind}/${remoteMediaDigest(url)}/${variant}`);
