import {
  AccessDeniedError,
  CancelledError,
  DeadlineExceededError,
  InvalidArgumentError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  TimeoutError,
  UnavailableError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { LogUnavailable } from './port.ts';

/** The server accepted a call and did not answer in time. */
export class Silence extends LogUnavailable {
  constructor(milliseconds: number) {
    super(`EventStoreDB did not answer within ${Math.ceil(milliseconds)} ms`);
    this.name = 'Silence';
  }
}

export const isSilence = (error: unknown): boolean =>
  error instanceof Silence || error instanceof DeadlineExceededError;

/**
 * Tells whether there is no event at the position to read from. The client has no error type for it. Servers
 * from 24.2 on name it, differently for reads and for subscriptions; older ones only say that the read failed
 * (`StorageReaderWorker.cs`).
 */
export const isInvalidPosition = (error: unknown): boolean =>
  error instanceof Error &&
  /\binvalid ?position\b|\bUnexpected (?:Filtered)?ReadAllResult: Error\b/i.test(error.message);

/**
 * Tells whether the server failed without a reason. Servers before 24.4 do so for a subscription from a position
 * of no event.
 */
export const isUnexplained = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('Exception was thrown by handler');

/** Tells whether the connection or the server failed, not the request. */
export function isOutage(error: unknown): boolean {
  const kinds = [
    WrongExpectedVersionError,
    StreamNotFoundError,
    StreamDeletedError,
    MaxAppendSizeExceededError,
    InvalidArgumentError,
  ];
  return !kinds.some((kind) => error instanceof kind) && !isInvalidPosition(error);
}

/** Tells whether another attempt may succeed: a broken connection, a new leader, a server that starts. */
export const isPassing = (error: unknown): boolean =>
  [UnavailableError, CancelledError, NotLeaderError, TimeoutError].some((kind) => error instanceof kind);

/** Tells whether every server that the client knows for the cluster stayed silent. */
export const isFailedDiscovery = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover');

/** Explains connection failures to the operator; matches the words of Node and OpenSSL. */
const MEANINGS: readonly [words: RegExp, meaning: string][] = [
  [/ECONNREFUSED/, 'nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN|Name resolution failed/i, 'the name of the server is not known'],
  [/wrong version number|packet length too long/i, 'the server speaks no TLS: add tls=false'],
  [
    /self.signed|unable to (?:verify|get)|certificate has expired|altnames|Hostname\/IP/i,
    'its certificate is not trusted: name that of its authority by tlsCAFile',
  ],
  [
    /ECONNRESET|Protocol error|socket hang up|Connection dropped|Last error: Failed to connect/i,
    'the server does not answer as EventStoreDB does; one with TLS needs tls=true',
  ],
];

/** Returns the cause of a failure, for the operator. */
export function causeOf(error: unknown): string {
  if (error instanceof AccessDeniedError)
    return 'the user or the password is wrong, or the user may not read $all';
  const message = error instanceof Error ? error.message : String(error);
  const meaning = MEANINGS.find(([words]) => words.test(message))?.[1];
  return meaning === undefined ? message : `${meaning} (${message})`;
}
