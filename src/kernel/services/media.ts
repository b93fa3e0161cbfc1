import type { Readable } from 'node:stream';
import type { MediaMeta, MediaType } from '#mastodon/media-limits.ts';
import type { OnBehalf } from '../on-behalf.ts';

/** A file to be stored. */
export interface StoredFile {
  /** Without a dot. */
  extension: string;
  contentType: string;
  /** The owner: the same bytes of two owners are two files, so that one may be removed without the other. */
  owner?: string;
}

/**
 * Files served to browsers, named by their content: the same bytes of one owner have the same key, so a key
 * never changes its content and may be cached for ever. Files without an owner may be shared and are never
 * removed.
 */
export interface MediaStore {
  put(data: Buffer, file: StoredFile): Promise<string>;
  /** The same from a file on the local disk, however large. */
  putFile(path: string, file: StoredFile): Promise<string>;
  /** Writes a stored file to the local disk. @throws RookeryError `not_found` */
  fetch(key: string, path: string): Promise<void>;
  /** The stored bytes and their number; null when there is no such file. The caller reads or destroys the stream. */
  read: (key: string) => Promise<{ stream: Readable; size: number } | null>;
  /** The number of stored bytes; undefined when there is no such file. */
  size(key: string): Promise<number | undefined>;
  /** Stores the same bytes for another owner, and so under another key. @throws RookeryError `not_found` */
  copy(key: string, owner: string): Promise<string>;
  remove(key: string): Promise<void>;
}

/** The result of processing an upload; places are keys of the media store. */
export interface RenderedMedia {
  type: MediaType;
  /** null while it is being processed. */
  file: string | null;
  preview: string | null;
  meta: MediaMeta;
  blurhash: string | null;
}

/** A picture that stands for a file: its place and what the attachment tells of it. */
export interface Thumbnail {
  preview: string;
  blurhash: string;
  small: NonNullable<MediaMeta['small']>;
  colors: NonNullable<MediaMeta['colors']>;
}

/** Makes uploads fit to be shown and stores what it makes. Files are named by their path, media by their id. */
export interface MediaProcessor {
  /**
   * Processes an upload. Images are rendered now. Videos, sounds and animations only get a preview, unless
   * `whole`; then `source` is the key of the stored upload, for `finish`.
   * @throws RookeryError `invalid` for unsupported, too large or broken files; `unavailable` when too many
   * wait
   */
  take(
    path: string,
    options: OnBehalf & { id: string; whole: boolean },
  ): Promise<{ media: RenderedMedia; source: string | null }>;
  /** Renders what `take` left, from its source; the signal ends it. @throws RookeryError `invalid` when it cannot be shown */
  finish(source: string, options: OnBehalf & { id: string; signal: AbortSignal }): Promise<RenderedMedia>;
  /** Makes a preview of a picture that the user chose. @throws RookeryError as `take` */
  thumbnail(path: string, options: OnBehalf & { id: string }): Promise<Thumbnail>;
}
