import type { MediaMeta, MediaType } from '#mastodon/media-limits.ts';
import type { RemoteMediaId, RemoteMediaKind } from '#mastodon/remote-media.ts';

/** Findings of the rendering of a file. */
export interface FoundOfFile {
  blurhash: string | null;
  meta: MediaMeta;
  /** Known for videos and sounds. */
  type?: MediaType;
}

/** A file of another server that may be shown. */
export interface KnownFile {
  kind: RemoteMediaKind;
  url: string;
}

/** A file that is ready to be sent. */
export type ServedFile =
  | { key: string }
  /** On the local disk until `release` is called, by each who got it. */
  | { path: string; extension: string; release: () => void };

/** How much the cache holds. Bytes. */
export interface CacheUsage {
  budget: number;
  bytes: number;
  files: number;
  classes: { name: string; bytes: number; files: number }[];
}

/** Files of other servers, fetched, made fit to be shown and kept within a budget. */
export interface RemoteMediaCache {
  /** False where files wait for the first view. */
  fetchesOnArrival: boolean;
  /**
   * @param admit is asked before another server is; what it throws is thrown
   * @throws RookeryError `not_found` for what no account and no post shows, or what cannot be shown; `unavailable` where it may
   * be there later
   */
  serve(id: RemoteMediaId, admit?: () => Promise<unknown>): Promise<ServedFile>;
  /** Fetches a file before a client asks for it. Undefined where it cannot be shown, whatever the reason. */
  prepare(file: KnownFile): Promise<FoundOfFile | undefined>;
  /**
   * Looks into the beginning of a video before it is shown: one without sound is an animation. Takes at most three seconds.
   * Undefined where that cannot be known.
   */
  identify(url: string): Promise<FoundOfFile | undefined>;
  /** Removes what is kept of these. */
  forget(files: readonly KnownFile[]): Promise<void>;
  /**
   * Removes files that were last seen before a time (ISO 8601), of some kinds, or of all.
   * @param onRemoved called with the number of removed files so far
   */
  forgetUnseen(
    before: string,
    kinds: readonly RemoteMediaKind[] | undefined,
    onRemoved: (files: number) => void,
  ): Promise<{ files: number; bytes: number }>;
  /** Removes what is shown no longer, what a dead process left, and what is above the budget. */
  tidy(): Promise<void>;
  usage(): Promise<CacheUsage>;
}
