import { z } from 'zod';
import type { PageLinks } from './endpoint.ts';
import { isScalar, leadingInteger } from './input.ts';
import { limitParameter } from './paging.ts';

/** Deeper pages are cut to this. */
const MAX_OFFSET = 10_000;

/** `limit` and `offset`, for Mastodon's few lists that are paged by them. */
export const offsetParameters = (defaultLimit: number, maxLimit: number) => ({
  limit: limitParameter(defaultLimit, maxLimit),
  offset: z
    .preprocess(
      (value: number | string) =>
        isScalar(value) ? Math.min(Math.max(leadingInteger(value), 0), MAX_OFFSET) : undefined,
      z.int().min(0).max(MAX_OFFSET).default(0),
    )
    .default(0)
    .describe(
      `How many entries to pass over; 0 by default, and at most ${MAX_OFFSET}, to which more is cut.`,
    ),
});

export interface OffsetPage {
  limit: number;
  offset: number;
}

/**
 * Returns the links of a page with `count` entries: next when it is full, previous when a whole page precedes
 * it, as in Mastodon.
 */
export const offsetLinks = (count: number, { limit, offset }: OffsetPage): PageLinks => ({
  ...(count >= limit ? { next: { offset: String(offset + limit) } } : {}),
  ...(offset > limit ? { prev: { offset: String(offset - limit) } } : {}),
});
