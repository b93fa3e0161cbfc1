import { bytesField, EMPTY, Fields, integerField, textField } from './eventstoredb-protobuf.ts';
import { type EncodedEvent, NO_STREAM } from './port.ts';

/** An append, as both calls for it send it. */
export interface WireAppend {
  stream: string;
  /** `NO_STREAM` for none. */
  expectedRevision: number;
  events: readonly EncodedEvent[];
}

/** The position of the last event, undefined where the server does not tell it yet; or the revision that the stream has instead. */
export type Appended = { position: bigint | undefined } | { actual: number };

/** A reply on a shared call. */
export interface SharedReply {
  /** Says which append it answers. */
  id: string;
  /** Undefined for any other failure. */
  appended: Appended | undefined;
}

/** Returns a whole append as one `BatchAppendReq` of `streams.proto`. Without a deadline, the server applies its own. */
export function encodeShared(id: string, append: WireAppend): Buffer {
  return Buffer.concat([
    bytesField(1, textField(2, id)),
    bytesField(2, options(append)),
    ...append.events.map((event) => bytesField(3, proposed(event))),
    integerField(4, 1),
  ]);
}

/** Returns an append as the messages of a call of its own, each an `AppendReq`. */
export function encodeAlone(append: WireAppend): Buffer[] {
  return [bytesField(1, options(append)), ...append.events.map((event) => bytesField(2, proposed(event)))];
}

/** `Options` have the same fields in both requests. */
function options({ stream, expectedRevision }: WireAppend): Buffer {
  const expected = expectedRevision === NO_STREAM ? bytesField(3, EMPTY) : integerField(2, expectedRevision);
  return Buffer.concat([bytesField(1, textField(3, stream)), expected]);
}

/** `ProposedMessage` too. */
function proposed({ id, type, data, metadata }: EncodedEvent): Buffer {
  return Buffer.concat([
    bytesField(1, textField(2, id)),
    property('type', type),
    property('content-type', 'application/json'),
    textField(3, metadata),
    textField(4, data),
  ]);
}

/** Returns an entry of the map of properties. */
const property = (key: string, value: string): Buffer =>
  bytesField(2, Buffer.concat([textField(1, key), textField(2, value)]));

/** Decodes a `BatchAppendResp`. */
export function decodeShared(bytes: Buffer): SharedReply {
  const reply: SharedReply = { id: '', appended: undefined };
  readFields(new Fields(bytes), {
    1: (uuid) => readMessage(uuid, { 2: (fields) => (reply.id = fields.text()) }),
    2: (error) => (reply.appended = readStatus(error)),
    3: (success) => (reply.appended = readSuccess(success)),
  });
  return reply;
}

/** Decodes an `AppendResp`. */
export function decodeAlone(bytes: Buffer): Appended {
  let appended: Appended | undefined;
  readFields(new Fields(bytes), {
    1: (success) => (appended = readSuccess(success)),
    2: (wrong) => (appended = readWrongVersion(wrong, 6)),
  });
  if (!appended) throw new Error('EventStoreDB answered an append with neither success nor failure');
  return appended;
}

/** `Success` has the same fields in both replies. */
function readSuccess(fields: Fields): Appended {
  let position: bigint | undefined;
  readMessage(fields, {
    3: (place) => readMessage(place, { 1: (commit) => (position = BigInt(commit.integer())) }),
  });
  return { position };
}

/** `google.rpc.Status`, with the failure in an `Any`. */
function readStatus(fields: Fields): Appended | undefined {
  let type = '';
  let failure: Appended | undefined;
  const any = {
    1: (name: Fields) => (type = name.text()),
    2: (value: Fields) => {
      if (type.endsWith('/event_store.client.WrongExpectedVersion')) failure = readWrongVersion(value, 1);
      else value.skip();
    },
  };
  readMessage(fields, { 3: (details) => readMessage(details, any) });
  return failure;
}

/** `WrongExpectedVersion`. The field with the revision is missing for a stream without events. */
function readWrongVersion(fields: Fields, revisionField: number): Appended {
  let actual = NO_STREAM;
  readMessage(fields, { [revisionField]: (revision) => (actual = Number(revision.integer())) });
  return { actual };
}

type Readers = Record<number, (fields: Fields) => void>;

function readMessage(fields: Fields, readers: Readers): void {
  const outer = fields.enter();
  readFields(fields, readers);
  fields.leave(outer);
}

/** Reads the fields of a message up to its end, and skips those without a reader. */
function readFields(fields: Fields, readers: Readers): void {
  for (let field = fields.next(); field > 0; field = fields.next()) {
    const read = readers[field];
    if (read) read(fields);
    else fields.skip();
  }
}
