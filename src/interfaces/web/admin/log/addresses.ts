import { addressWith } from '../../page/address-with.ts';

export const LOG = '/admin/log';

/** The names of the filter, as the page and the endpoint have them. */
export const FILTERS = ['type', 'without', 'stream', 'actor', 'correlation', 'from', 'until'] as const;

/** The look of the operator at the log is an event of its own, which would fill a live page. */
export const USUALLY_WITHOUT = 'AuditViewed';

/** Returns an address with these parameters, without the empty and the usual ones. */
export function withQuery(path: string, given: Readonly<Record<string, string | null | undefined>>): string {
  const pairs = Object.entries(given).filter((pair): pair is [string, string] =>
    pair[0] === 'without' ? pair[1] !== USUALLY_WITHOUT && typeof pair[1] === 'string' : Boolean(pair[1]),
  );
  return addressWith(path, pairs);
}

export const eventAddress = (position: string): string => `${LOG}/${position}`;

export const streamAddress = (stream: string): string => withQuery(LOG, { stream });

/** A trace looks around an event that belongs to it. */
export const traceAddress = (correlation: string, near?: string): string =>
  withQuery(`/admin/trace/${encodeURIComponent(correlation)}`, { near });
