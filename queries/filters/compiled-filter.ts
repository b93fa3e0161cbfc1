import type { Filter } from '#mastodon/schemas/index.ts';
import type { FullFilter } from './read.ts';

/** A filter and the time of its end. */
export interface CompiledFilter {
  /** As in results: without keywords and statuses. */
  head: Filter;
  /** Milliseconds since 1970. */
  expires: number;
}

/** Returns a filter in the form that results show. */
export const compiledFilter = ({
  keywords: _keywords,
  statuses: _statuses,
  ...head
}: FullFilter): CompiledFilter => ({
  head,
  expires: head.expires_at === null ? Infinity : Date.parse(head.expires_at),
});
