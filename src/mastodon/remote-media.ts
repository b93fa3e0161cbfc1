import { createHash } from 'node:crypto';
import { ORIGIN, urlBelow } from './ready-json.ts';

/*
 * Addresses under which this server serves files of other servers: `/media_proxy/<kind>/<digest>/<variant>`. Projections print
 * them, so they depend on the remote address alone. `docs/decisions/0701-remote-media-cache.md` has the reasons.
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

/** `small` is the preview of an attachment, `static` a picture that does not move. */
export type RemoteMediaVariant = 'original' | 'small' | 'static';

export const REMOTE_MEDIA_VARIANTS: Readonly<Record<RemoteMediaKind, readonly RemoteMediaVariant[]>> = {
  avatars: ['original', 'static'],
  headers: ['original', 'static'],
  attachments: ['original', 'small'],
  previews: ['original'],
  emojis: ['original', 'static'],
  cards: ['original'],
};

/** One file that can be asked for. */
export interface RemoteMediaId {
  kind: RemoteMediaKind;
  digest: string;
  variant: RemoteMediaVariant;
}

/** 18 bytes are 24 characters of base64url. */
const DIGEST_BYTES = 18;

/** Names a remote address. */
export const remoteMediaDigest = (url: string): string =>
  createHash('sha256').update(url).digest().subarray(0, DIGEST_BYTES).toString('base64url');

export const isRemoteMediaDigest = (text: string): boolean => /^[\w-]{24}$/.test(text);

/** True for the address of a file on another server, false for a key of the media store. */
export const isRemotePlace = (place: string | null | undefined): place is `http${string}` =>
  place != null && /^https?:/.test(place);

/** A JSON string: where this server serves a file of another one, below `ORIGIN`. */
export const remoteMediaUrl = (
  kind: RemoteMediaKind,
  url: string,
  variant: RemoteMediaVariant = 'original',
): string => urlBelow(ORIGIN, `/media_proxy/${kind}/${remoteMediaDigest(url)}/${variant}`);
