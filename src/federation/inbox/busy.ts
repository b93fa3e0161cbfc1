import { RookeryError } from '../../kernel/errors.ts';

/** What a sender is told who is to come again. */
export const busy = (): RookeryError =>
  new RookeryError('too_many_requests', 'Too much is under way here', { headers: { 'Retry-After': '30' } });
