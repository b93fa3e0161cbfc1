import type { StoredFile } from '#kernel/services/media.ts';
import type { FoundOfFile } from '#kernel/services/remote-media.ts';
import type { RemoteMediaVariant } from '#mastodon/remote-media.ts';
import type { Content } from './files.ts';

/** One file ready for display. */
export interface Rendered {
  variant: RemoteMediaVariant;
  /** It serves every variant: the picture does not move, or there is only one variant. */
  still: boolean;
  content: Content;
  file: StoredFile;
  found?: FoundOfFile;
}
