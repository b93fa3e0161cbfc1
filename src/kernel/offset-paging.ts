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
    .transform((offset) => Math.min(offset, MAX_OFFSET))
    .describe(
      `How many entries to pass over; 0 by default, and at most ${MAX_OFFSET}, to which more is cut.`,
    ),
});

export interface OffsetPage {
  limit: number;
  offset: number;
}

/** To find out whether there is more, one row more than asked for is read: the rows of a page, and its `Link` header. */
export const offsetPage = <Row>(
  rows: readonly Row[],
  url: string,
  page: OffsetPage,
): { rows: Row[]; headers: Record<string, string> } => ({
  rows: rows.slice(0, page.limit),
  headers: offsetLinks(url, page, rows.length > page.limit),
});

/** The `Link` header of such a page: `url` without a query, `more` when there is a next one. Empty for none. */
function offsetLinks(url: string, { limit, offset }: OffsetPage, more: boolean): Record<string, string> {
  const link = (start: number, rel: string): string =>
    `<${url}?limit=${limit}&offset=${start}>; rel="${rel}"`;
  const links = [
    ...(more ? [link(offset + limit, 'next')] : []),
    ...(offset > 0 ? [link(Math.max(0, offset - limit), 'prev')] : []),
  ];
  return links.length === 0 ? {} : { Link: links.join(', ') };
}
