import type { Filter } from '../../src/mastodon/schemas/index.ts';
import type { FullFilter } from './read.ts';

/** A filter with the moment of its end. */
export interface CompiledFilter {
  /** As it stands in results: without keywords and statuses. */
  head: Filter;
  /** Milliseconds since 1970. */
  expires: number;
}

/** Returns a filter as results show it. */
export const compiledFilter = ({
  keywords: _keywords,
  statuses: _statuses,
  ...head
}: FullFilter): CompiledFilter => ({
  head,
  expires: head.expires_at === null ? Infinity : Date.parse(head.expires_at),
});
