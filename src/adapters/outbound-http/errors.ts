import type { FetchFailure } from '#kernel/services/http-client.ts';

const MESSAGES: Record<FetchFailure, string> = {
  bad_url: 'is no address that can be asked',
  forbidden_address: 'is at no address that may be reached',
  unreachable: 'cannot be reached',
  timeout: 'did not answer in time',
  too_large: 'sends more than is taken',
  too_many_redirects: 'redirects too often',
  unexpected_type: 'sends something else than asked for',
  cancelled: 'is not waited for any more',
};

/**
 * The reason why an outbound request failed. The message names only the host, because paths may contain
 * secrets.
 */
export class FetchError extends Error {
  readonly code: FetchFailure;

  constructor(code: FetchFailure, where: URL | string, cause?: unknown) {
    super(`${typeof where === 'string' ? where : where.host} ${MESSAGES[code]}`, { cause });
    this.name = 'FetchError';
    this.code = code;
  }
}
