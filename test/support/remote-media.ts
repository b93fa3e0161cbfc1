import { remoteMediaDigest, type RemoteMediaKind } from '#mastodon/remote-media.ts';

/** Returns the address at which a server shows a file of another one. */
export const shownAt = (origin: string, kind: RemoteMediaKind, url: string, variant = 'original'): string =>
  `${origin}/media_proxy/${kind}/${remoteMediaDigest(url)}/${variant}`;

/** Returns the addresses of an attachment of another server. */
export const addressesOf = (origin: string, url: string): { url: string; remote_url: string } => ({
  url: shownAt(origin, 'attachments', url),
  remote_url: url,
});
