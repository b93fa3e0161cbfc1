import { addressWith } from '#interfaces/web/page/address-with.ts';

export const LOG = '/admin/log';

/** The names of the filter, as the page and the endpoint have them. */
export const FILTERS = [
  'type',
  'without',
  'stream',
  'actor',
  'correlation',
  'from',
  'until',
  'own_views',
] as const;

/** Returns an address with these parameters, without the empty ones. */
export function withQuery(path: string, given: Readonly<Record<string, string | null | undefined>>): string {
  const pairs = Object.entries(given).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return addressWith(path, pairs);
}

export const eventAddress = (position: string): string => `${LOG}/${position}`;

export const streamAddress = (stream: string): string => withQuery(LOG, { stream });

/** A trace looks around an event that belongs to it. */
export const traceAddress = (correlation: string, near?: string): string =>
  withQuery(`/admin/trace/${encodeURIComponent(correlation)}`, { near });
