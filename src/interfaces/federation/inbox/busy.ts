import { RookeryError } from '#kernel/errors.ts';

/** The error that tells a sender to retry later. */
export const busy = (): RookeryError =>
  new RookeryError('too_many_requests', 'The inbox is overloaded; retry later', {
    headers: { 'Retry-After': '30' },
  });
