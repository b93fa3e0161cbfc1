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

/** The server took a call and did not answer it in time. */
export class Silence extends LogUnavailable {
  constructor(milliseconds: number) {
    super(`EventStoreDB did not answer within ${Math.ceil(milliseconds)} ms`);
    this.name = 'Silence';
  }
}

export const isSilence = (error: unknown): boolean =>
  error instanceof Silence || error instanceof DeadlineExceededError;

/**
 * True where no event stands at the position to read from. The client has no kind of error for it. Servers from 24.2 on name it, in one
 * way where they read and in another where they follow; older ones only say that reading failed (`StorageReaderWorker.cs`).
 */
export const isInvalidPosition = (error: unknown): boolean =>
  error instanceof Error &&
  /\binvalid ?position\b|\bUnexpected (?:Filtered)?ReadAllResult: Error\b/i.test(error.message);

/** True for faults of the connection or the server, not of what was asked. */
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

/** True for faults that another attempt may not meet: a broken connection, a new leader, a server that is starting. */
export const isPassing = (error: unknown): boolean =>
  [UnavailableError, CancelledError, NotLeaderError, TimeoutError].some((kind) => error instanceof kind);

/** True where the client asked every server that it knows for the cluster, and got nothing from any. */
export const isFailedDiscovery = (error: unknown): boolean =>
  error instanceof Error && error.message.startsWith('Failed to discover');

/** Explains faults of a connection to the operator, by the words of Node and OpenSSL. */
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

/** The cause of a failure, for the operator. */
export function causeOf(error: unknown): string {
  if (error instanceof AccessDeniedError)
    return 'the user or the password is wrong, or the user may not read $all';
  const message = error instanceof Error ? error.message : String(error);
  const meaning = MEANINGS.find(([words]) => words.test(message))?.[1];
  return meaning === undefined ? message : `${meaning} (${message})`;
}
