import { setTimeout as sleep } from 'node:timers/promises';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { sendUnaryData, ServerReadableStream, ServerWritableStream } from '@grpc/grpc-js';
import grpc from '@grpc/grpc-js';
import type { AppendOutcome, DoubleLog, LogRecord, ProposedRecord } from './eventstoredb-double-log.ts';
import { InvalidPosition, MAX_APPEND_BYTES, sizeOf, TombstonedStream } from './eventstoredb-double-log.ts';
import type { Fate } from './eventstoredb-double-shared-appends.ts';

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** The behaviour of a server. */
export interface Behaviour {
  log: DoubleLog;
  /** The server accepts calls but does not answer them. */
  stalled: boolean;
  /** The server reports an invalid position like versions before 24.2, and for a subscription not at all. */
  oldWording: boolean;
  /** The `authorization` header that callers must send. */
  authorization?: string | undefined;
  /** Subscriptions that began before the last of so many calls of `silenceSubscriptions` get nothing more. */
  silences: number;
  /** Called when a subscription begins and when it ends. */
  onSubscription: (change: 1 | -1) => void;
  /** Called for each event that is written to a call. */
  onSent: (kind: 'subscription' | 'read') => void;
  /** Milliseconds that a read with a filter takes before it sends anything. */
  filterMs: number;
  /** Called for each read that is not a subscription. */
  onRead: () => void;
  /** Called when an append is stored. @returns false if no answer must be sent */
  onStored: () => boolean;
  /** Called for each append, which comes in a call of its own or in a shared one. */
  onAppend: (call: 'alone' | 'shared') => void;
  /** Returns what becomes of an append to this stream on a shared call; undefined for the usual. */
  fateOf: (stream: string) => Fate | undefined;
  /** The address of the leader when this server is not the leader. */
  leader: () => { address: string; port: number } | undefined;
}

/** The calls for streams and `$all`, without the shared call of appends. */
export function streamsOf(behaviour: Behaviour) {
  const { log } = behaviour;
  const append = (call: AppendCall, answer: sendUnaryData<streams.AppendResp>): void => {
    const proposed: ProposedRecord[] = [];
    let options: streams.AppendReq.Options | undefined;
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) proposed.push(toProposed(message));
    });
    call.on('end', () => {
      if (behaviour.stalled) return;
      behaviour.onAppend('alone');
      if (!options) return answer({ code: grpc.status.UNKNOWN, details: 'No options' });
      const refused = refusedAt(behaviour, call);
      if (refused) return answer(refused);
      if (isTooLarge(proposed)) return answer(tooLarge());
      try {
        const outcome = appendTo(log, options, proposed);
        if (behaviour.onStored()) answer(null, appendResponse(options, outcome));
      } catch (error) {
        answer(refusal(error as Error, {}, behaviour));
      }
    });
  };

  const read = (call: ReadCall): void => {
    if (behaviour.stalled) return;
    const options = call.request.getOptions();
    const subscribing = options?.hasSubscription() === true;
    const { silences } = behaviour;
    const write: Send = (message) => {
      if (subscribing && behaviour.silences > silences) return new Promise(() => undefined);
      if (message.hasEvent()) behaviour.onSent(subscribing ? 'subscription' : 'read');
      return send(call, message);
    };
    const refuse = (error: Partial<grpc.ServiceError>): void => void call.emit('error', error);
    const refused = refusedAt(behaviour, call);
    if (refused) return refuse(refused);
    if (!subscribing) behaviour.onRead();
    if (subscribing) {
      behaviour.onSubscription(1);
      call.once('close', () => behaviour.onSubscription(-1));
    }
    const work =
      options && subscribing
        ? subscribe(log, call, options, write)
        : readOnce(behaviour, call, options ?? new streams.ReadReq.Options(), write);
    work.then(
      () => call.end(),
      (error: Error) => refuse(refusal(error, { subscribing, filtered: options?.hasFilter() }, behaviour)),
    );
  };
  return { append, read };
}

/** Returns the error with which this server refuses the call, if it does. */
export function refusedAt(
  { authorization, leader }: Behaviour,
  { metadata }: { metadata: grpc.Metadata },
): Partial<grpc.ServiceError> | undefined {
  if (authorization !== undefined && !metadata.get('authorization').includes(authorization)) {
    return { code: grpc.status.UNAUTHENTICATED, details: 'Unauthenticated' };
  }
  const elsewhere = metadata.get('requires-leader').includes('true') ? leader() : undefined;
  return elsewhere && notLeader(elsewhere);
}

type Send = (message: streams.ReadResp) => Promise<void>;

/** Writes a message. The promise resolves when the client can receive the next message. */
function send(call: ReadCall, message: streams.ReadResp): Promise<void> {
  if (call.cancelled || call.write(message)) return Promise.resolve();
  return new Promise((resolve) => {
    const goOn = (): void => {
      call.off('drain', goOn);
      call.off('cancelled', goOn);
      resolve();
    };
    call.on('drain', goOn);
    call.on('cancelled', goOn);
  });
}

async function readOnce(
  { log, filterMs }: Behaviour,
  call: ReadCall,
  options: streams.ReadReq.Options,
  write: Send,
): Promise<void> {
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const most = Number(options.getCount());
  const found = options.hasStream()
    ? streamRange(log, options, backwards)
    : allRange(log, options, backwards);
  if (!found) return write(notFound(options));
  const matches = filterOf(options);
  if (options.hasFilter() && filterMs > 0) await sleep(filterMs, undefined, { ref: false });
  let sent = 0;
  for (const record of found) {
    if (call.cancelled || sent >= most) return;
    if (!matches(record)) continue;
    sent += 1;
    await write(eventMessage(record));
  }
}

/**
 * Sends the stored events, then new events, until the call is cancelled. Sends checkpoints at the interval of
 * the filter.
 */
async function subscribe(
  log: DoubleLog,
  call: ReadCall,
  options: streams.ReadReq.Options,
  write: Send,
): Promise<void> {
  const matches = filterOf(options);
  const interval = Math.max(options.getFilter()?.getMax() ?? 32, 1);
  let wake = (): void => {};
  const unwatch = log.watch(() => wake());
  call.once('cancelled', () => wake());

  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(crypto.randomUUID());
  await write(new streams.ReadResp().setConfirmation(confirmation));

  const from = options.getAll()?.getPosition()?.getCommitPosition();
  let index = from === undefined ? 0 : log.indexAt(BigInt(from)) + 1;
  for (let considered = 1; !call.cancelled; considered += 1) {
    const record = log.records[index];
    if (record === undefined) {
      await write(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()));
      if (log.records[index] === undefined && !call.cancelled) {
        await new Promise<void>((resolve) => (wake = resolve));
      }
      continue;
    }
    index += 1;
    if (matches(record)) await write(eventMessage(record));
    if (considered % interval === 0) await write(checkpointMessage(record));
  }
  unwatch();
}

function streamRange(
  log: DoubleLog,
  options: streams.ReadReq.Options,
  backwards: boolean,
): readonly LogRecord[] | undefined {
  const wanted = options.getStream();
  log.assertNotDeleted(nameOf(wanted?.getStreamIdentifier()));
  const records = log.stream(nameOf(wanted?.getStreamIdentifier()));
  if (!records) return undefined;
  const revision = Number(wanted?.getRevision() ?? 0);
  if (!backwards) return records.slice(wanted?.hasEnd() ? records.length : revision);
  return records.slice(0, wanted?.hasEnd() ? records.length : revision + 1).toReversed();
}

/** Returns the records from a position on, or, for a backwards read, those before it. */
function allRange(
  log: DoubleLog,
  options: streams.ReadReq.Options,
  backwards: boolean,
): readonly LogRecord[] {
  const all = options.getAll();
  const position = all?.getPosition()?.getCommitPosition();
  const start = all?.hasEnd() ? log.records.length : 0;
  const index = position === undefined ? start : log.indexAt(BigInt(position));
  return backwards ? log.records.slice(0, index).toReversed() : log.records.slice(index);
}

function filterOf(options: streams.ReadReq.Options): (record: LogRecord) => boolean {
  const filter = options.getFilter();
  const byStream = filter?.getStreamIdentifier();
  const expression = byStream ?? filter?.getEventType();
  if (!expression) return () => true;
  const regex = new RegExp(expression.getRegex());
  const prefixes = expression.getPrefixList();
  return (record) => {
    const text = byStream ? record.stream : record.type;
    return prefixes.length > 0 ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
  };
}

/** `AppendReq` and `BatchAppendReq` differ in little. */
interface AppendOptions {
  hasNoStream: () => boolean;
  getRevision?: () => string;
  getStreamPosition?: () => string;
  getStreamIdentifier: () => shared.StreamIdentifier | undefined;
}

export const expectedOf = (options: AppendOptions): number =>
  options.hasNoStream() ? -1 : Number((options.getRevision ?? options.getStreamPosition)?.call(options));

export const appendTo = (
  log: DoubleLog,
  options: AppendOptions,
  proposed: readonly ProposedRecord[],
): AppendOutcome => log.append(nameOf(options.getStreamIdentifier()), expectedOf(options), proposed);

function appendResponse(options: streams.AppendReq.Options, outcome: AppendOutcome): streams.AppendResp {
  const expected = expectedOf(options);
  const response = new streams.AppendResp();
  if ('wrongVersion' in outcome) {
    const { current } = outcome.wrongVersion;
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (expected < 0) wrong.setExpectedNoStream(new shared.Empty());
    else wrong.setExpectedRevision(String(expected));
    if (current < 0) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(current));
    return response.setWrongExpectedVersion(wrong);
  }
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(String(outcome.last.position));
  position.setPreparePosition(String(outcome.last.position));
  const success = new streams.AppendResp.Success();
  success.setCurrentRevision(String(outcome.last.revision));
  success.setPosition(position);
  return response.setSuccess(success);
}

export const toProposed = (
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedRecord => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

/** The same errors as in `RpcExceptions.cs`. */
function refusal(
  error: Error,
  { subscribing = false, filtered = false }: { subscribing?: boolean; filtered?: boolean | undefined },
  { oldWording }: Behaviour,
): Partial<grpc.ServiceError> {
  if (error instanceof TombstonedStream) return streamDeleted(error.message);
  if (!(error instanceof InvalidPosition)) return { code: grpc.status.UNKNOWN, details: error.message };
  if (oldWording && subscribing)
    return { code: grpc.status.UNKNOWN, details: 'Exception was thrown by handler.' };
  const result = filtered ? 'FilteredReadAllResult' : 'ReadAllResult';
  if (oldWording) return { code: grpc.status.UNKNOWN, details: `Unexpected ${result}: Error` };
  return subscribing
    ? { code: grpc.status.INVALID_ARGUMENT, details: 'Trying to read from an invalid position.' }
    : { code: grpc.status.UNKNOWN, details: `Unexpected ${result}: InvalidPosition` };
}

function streamDeleted(stream: string): Partial<grpc.ServiceError> {
  const metadata = new grpc.Metadata();
  metadata.set('exception', 'stream-deleted');
  metadata.set('stream-name', stream);
  return { code: grpc.status.FAILED_PRECONDITION, details: `Event stream '${stream}' is deleted.`, metadata };
}

function notLeader({ address, port }: { address: string; port: number }): Partial<grpc.ServiceError> {
  const metadata = new grpc.Metadata();
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', address);
  metadata.set('leader-endpoint-port', String(port));
  return { code: grpc.status.NOT_FOUND, details: 'Leader info available', metadata };
}

export const isTooLarge = (proposed: readonly ProposedRecord[]): boolean =>
  proposed.reduce((sum, event) => sum + sizeOf(event), 0) > MAX_APPEND_BYTES;

function tooLarge(): Partial<grpc.ServiceError> {
  const metadata = new grpc.Metadata();
  metadata.set('exception', 'maximum-append-size-exceeded');
  metadata.set('maximum-append-size', String(MAX_APPEND_BYTES));
  return {
    code: grpc.status.INVALID_ARGUMENT,
    details: `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`,
    metadata,
  };
}

function notFound(options: streams.ReadReq.Options): streams.ReadResp {
  const answer = new streams.ReadResp.StreamNotFound();
  answer.setStreamIdentifier(options.getStream()?.getStreamIdentifier());
  return new streams.ReadResp().setStreamNotFound(answer);
}

function checkpointMessage(record: LogRecord): streams.ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(record.position));
  checkpoint.setPreparePosition(String(record.position));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

/** Encoded once, so that a reader is not slower than with a real server. */
const messages = new WeakMap<LogRecord, streams.ReadResp>();

function eventMessage(record: LogRecord): streams.ReadResp {
  const known = messages.get(record);
  if (known) return known;
  const encoded = encodedEvent(record).serializeBinary();
  const message = new streams.ReadResp();
  message.hasEvent = () => true;
  message.serializeBinary = () => encoded;
  messages.set(record, message);
  return message;
}

function encodedEvent(record: LogRecord): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(new shared.UUID().setString(record.id));
  recorded.setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(new TextEncoder().encode(record.stream)),
  );
  recorded.setStreamRevision(String(record.revision));
  recorded.setCommitPosition(String(record.position));
  recorded.setPreparePosition(String(record.position));
  recorded.getMetadataMap().set('type', record.type);
  recorded.getMetadataMap().set('content-type', record.contentType);
  recorded.getMetadataMap().set('created', record.created);
  recorded.setData(record.data);
  recorded.setCustomMetadata(record.metadata);
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(record.position));
  return new streams.ReadResp().setEvent(event);
}

export const nameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
