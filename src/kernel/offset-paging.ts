import { z } from 'zod';
import { limitParameter } from './paging.ts';

/** Deeper pages are cut to this; whoever wants them has been reading for long. */
const MAX_OFFSET = 10_000;

/** `limit` and `offset`, for the few lists of Mastodon that are paged so. What is no number is the default. */
export const offsetParameters = (defaultLimit: number, maxLimit: number) => ({
  limit: limitParameter(defaultLimit, maxLimit),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .catch(0)
    .default(0)
    .transform((offset) => Math.min(offset, MAX_OFFSET)),
});

export interface OffsetPage {
  limit: number;
  offset: number;
}

/** The `Link` header of such a page: `url` without a query, `more` when there is a next one. Empty for none. */
export function offsetLinks(
  url: string,
  { limit, offset }: OffsetPage,
  more: boolean,
): Record<string, string> {
  const link = (start: number, rel: string): string =>
    `<${url}?limit=${limit}&offset=${start}>; rel="${rel}"`;
  const links = [
    ...(more ? [link(offset + limit, 'next')] : []),
    ...(offset > 0 ? [link(Math.max(0, offset - limit), 'prev')] : []),
  ];
  return links.length === 0 ? {} : { Link: links.join(', ') };
}
