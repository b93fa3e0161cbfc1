import { destination, type DestinationStream, type Logger, pino } from 'pino';
import type { Endpoint } from '#kernel/endpoint.ts';
import { isDiskFull, isRookeryError } from '#kernel/errors.ts';
import { countEvents, type LogProgress, percentOf } from '#kernel/event-count.ts';
import { isStoreOutage } from '#kernel/outage.ts';
import type { LogLevel } from './config.ts';

/** Fields that are never logged, at the top of an entry or one and two levels down. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'email',
];

/** Secrets in free text, such as the message of an error: bearer tokens, passwords in URLs, e-mail addresses. */
const SECRETS_IN_TEXT: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [redacted]'],
  [/\b(\w*token|client_secret|password)=[^\s&"\\]+/gi, '$1=[redacted]'],
  [/(:\/\/[^\s/:@"\\]*):[^\s/@"\\]+@/g, '$1:[redacted]@'],
  [/[\w.%+-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b/gi, '[e-mail]'],
];

/**
 * Creates the log of the process: JSON lines on standard output, written in the background and flushed at
 * exit.
 * @param to another destination, for tests
 */
export function createLog({ level, to }: { level: LogLevel; to?: DestinationStream }): Logger {
  return pino(
    {
      level,
      redact: { paths: SECRET_FIELDS.flatMap(atAnyDepth), censor: '[redacted]' },
      serializers: { err: describeError, error: describeError },
      hooks: { streamWrite: withoutSecrets },
    },
    to ?? destination({ dest: 1, sync: false }),
  );
}

export interface RequestRecord {
  endpoint: Endpoint;
  status: number;
  seconds: number;
  error?: unknown;
  id: string;
}

/**
 * Logs requests: all of them at `debug`; those with a server error at `error`, with the cause. The route's
 * pattern replaces the URL, because paths and queries name users and contain tokens.
 */
export function requestLogger(log: Logger): (request: RequestRecord) => void {
  return ({ endpoint, status, seconds, error, id }) => {
    const failed = status >= 500;
    if (!failed && !log.isLevelEnabled('debug')) return;
    const { method, path: route } = endpoint;
    const fields = { request: id, method, route, status, ms: Math.round(seconds * 1e5) / 100 };
    if (failed) log.error({ ...fields, err: error }, 'request failed');
    else log.debug(fields, 'request');
  };
}

/** Logs the progress of a build of read models, at most once a second. */
export function buildReporter(log: Logger) {
  let next = 0;
  return (names: readonly string[], progress: LogProgress) => {
    if (Date.now() < next) return;
    next = Date.now() + 1_000;
    const { done, total, estimated } = countEvents(progress);
    const percent = percentOf(progress);
    log.info({ names, events: done, of: total, estimated, percent }, 'building read models');
  };
}

/** Milliseconds. */
const OUTAGE_PAUSE = 60_000;

/** Logs a repeated outage: immediately, and then one line a minute while it lasts. */
export function outageReporter(log: Logger, message: string): (error: unknown) => void {
  let next = 0;
  return (error) => {
    if (Date.now() < next) return;
    next = Date.now() + OUTAGE_PAUSE;
    log.warn({ err: error }, message);
  };
}

/** Removes secrets from a line, which stays valid JSON. */
export function withoutSecrets(line: string): string {
  let text = line;
  for (const [pattern, replacement] of SECRETS_IN_TEXT) text = text.replace(pattern, replacement);
  return text;
}

function atAnyDepth(field: string): string[] {
  const below = field.startsWith('[') ? field : `.${field}`;
  return [field, `*${below}`, `*.*${below}`];
}

interface ErrorDescription {
  type: string;
  message: string;
  code?: string | number;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
}

/**
 * Tells whether a dependency is unreachable or late. Every request then fails in the same way, so stack
 * traces say nothing.
 */
export const isOutage = (error: unknown): boolean =>
  isStoreOutage(error) || isDiskFull(error) || (isRookeryError(error) && error.code === 'unavailable');

/**
 * Keeps the text and the causes of an error. Other members, such as the parameters of a statement, may
 * contain texts of users.
 */
function describeError(error: unknown, depth = 0, within = false): ErrorDescription | string | undefined {
  if (!(error instanceof Error)) return error === undefined ? undefined : describeOther(error);
  const { name, message, stack, cause } = error;
  const brief = within || isOutage(error);
  const code = 'code' in error ? error.code : undefined;
  return {
    type: name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(stack === undefined || brief ? {} : { stack }),
    ...(cause === undefined || depth >= 4 ? {} : { cause: describeError(cause, depth + 1, brief) }),
    // A failed connection has one error for each address that was tried.
    ...(error instanceof AggregateError && depth < 4
      ? { errors: error.errors.slice(0, 4).map((each) => describeError(each, depth + 1, brief)) }
      : {}),
  };
}

const describeOther = (thrown: unknown): string =>
  typeof thrown === 'string' ? thrown : `${typeof thrown} thrown instead of an error`;
