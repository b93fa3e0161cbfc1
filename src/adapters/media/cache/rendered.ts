import type { StoredFile } from '../../../kernel/services/media.ts';
import type { RemoteMediaVariant } from '../../../mastodon/remote-media.ts';
import type { FoundOfFile } from '../../../kernel/services/remote-media.ts';
import type { Content } from './files.ts';

/** One file as it may be shown. */
export interface Rendered {
  variant: RemoteMediaVariant;
  /** It answers for every variant: the picture does not move, or there is one variant only. */
  still: boolean;
  content: Content;
  file: StoredFile;
  found?: FoundOfFile;
}
