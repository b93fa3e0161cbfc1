import { problemsOf } from '#interfaces/web/page/refusals.ts';
import { type ErrorCode, isRookeryError } from '#kernel/errors.ts';

/** The part of the composer that a problem is shown at. */
export type Place = 'status' | 'media' | 'poll' | 'scheduled_at' | 'other';

export interface Problem {
  place: Place;
  text: string;
}

/** Refused drafts are shown again with this status. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  bad_request: 400,
  forbidden: 403,
  conflict: 409,
  invalid: 422,
  // The parent, the quoted post or an upload is missing; the composer itself exists.
  not_found: 422,
  gone: 422,
  payload_too_large: 413,
  unsupported_media_type: 415,
  too_many_requests: 429,
  unavailable: 503,
};

/** A draft that was refused, in the words for the user. */
export interface Refused {
  problems: readonly Problem[];
  status: number;
  headers: Record<string, string>;
}

/** Returns how a refusal by the API is shown. @throws what is no error of the user */
export function refusedBy(error: unknown, place?: Place, subject = ''): Refused {
  if (!isRookeryError(error)) throw error;
  const status = STATUS[error.code];
  if (status === undefined) throw error;
  const problems = problemsOf(error).map((text) => {
    const said = text.replace(/^Validation failed: (?:File (?=file |\w+ ))?/, '');
    return { place: place ?? placeOf(said), text: subject === '' ? said : `${subject}: ${said}` };
  });
  return { problems, status, headers: error.extras.headers ?? {} };
}

const placeOf = (text: string): Place => PLACES.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';

const PLACES: readonly (readonly [Place, RegExp])[] = [
  ['status', /^Text /],
  ['poll', /^(?:Choices|Deadline) /],
  ['scheduled_at', /^Scheduled at |scheduled posts/],
  ['media', /^(?:Media|Cannot attach|Description|Focus) ?/],
];

/** Returns an error for the user to mend. */
export const refusal = (...problems: readonly Problem[]): Refused => ({ problems, status: 422, headers: {} });
