import { RookeryError } from '../../../kernel/errors.ts';

/** Tells a sender to come again. */
export const busy = (): RookeryError =>
  new RookeryError('too_many_requests', 'The inbox is overloaded; retry later', {
    headers: { 'Retry-After': '30' },
  });
