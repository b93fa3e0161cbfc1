import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import { fromWire } from '#storage/eventlog/eventstoredb-encoding.ts';
import { decodeRead, type WireEvent } from '#storage/eventlog/eventstoredb-wire.ts';

const { ReadResp } = streams;

const EVENT: WireEvent = {
  id: '0f343b09-3112-4a20-b133-d67c2b018a3b',
  stream: 'status-1',
  revision: 7,
  position: 123_456n,
  type: 'StatusCreated',
  data: '{"text":"Ω \\u0000"}',
  metadata: '{"$v":1}',
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function recorded(event: WireEvent): streams.ReadResp.ReadEvent.RecordedEvent {
  const record = new ReadResp.ReadEvent.RecordedEvent();
  record.setId(new shared.UUID().setString(event.id));
  record.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(bytes(event.stream)));
  record.setStreamRevision(String(event.revision));
  record.setPreparePosition(String(event.position - 1n));
  record.setCommitPosition(String(event.position));
  record.getMetadataMap().set('created', '17000000000000000');
  record.getMetadataMap().set('type', event.type);
  record.getMetadataMap().set('content-type', 'application/json');
  record.setData(bytes(event.data));
  record.setCustomMetadata(bytes(event.metadata));
  return record;
}

const encode = (event: streams.ReadResp.ReadEvent): Buffer =>
  Buffer.from(new ReadResp().setEvent(event).serializeBinary());

const decoded = (event: WireEvent): WireEvent | undefined =>
  decodeRead(encode(new ReadResp.ReadEvent().setEvent(recorded(event)).setCommitPosition('9'))).event;

describe('Decoding the results of a read', () => {
  it('returns the event that the generated classes have encoded', () => {
    const long = 'Ω'.repeat(100_000);
    for (const change of [
      {},
      { data: '', metadata: '', revision: 0, position: 1n },
      { data: long, stream: `status-${long}` },
      { revision: 2 ** 50, position: 2n ** 63n - 1n },
      { position: 2n ** 49n - 1n },
      { position: 2n ** 49n },
      { position: 2n ** 53n + 1n },
    ]) {
      expect(decoded({ ...EVENT, ...change })).to.deep.equal({ ...EVENT, ...change });
    }
  });

  it('returns the event that a link points to, and none for a link to nothing', () => {
    const link = recorded({ ...EVENT, type: '$>' });
    const both = new ReadResp.ReadEvent().setLink(link).setEvent(recorded(EVENT));
    expect(decodeRead(encode(both)).event).to.deep.equal(EVENT);
    expect(decodeRead(encode(new ReadResp.ReadEvent().setLink(link))).event).to.equal(undefined);
  });

  it('returns no event from results of other kinds', () => {
    const confirmation = new ReadResp.SubscriptionConfirmation().setSubscriptionId('1');
    const checkpoint = new ReadResp.Checkpoint().setCommitPosition('5').setPreparePosition('5');
    for (const result of [
      new ReadResp(),
      new ReadResp().setConfirmation(confirmation),
      new ReadResp().setCheckpoint(checkpoint),
      new ReadResp().setFirstStreamPosition('1'),
    ])
      expect(decodeRead(Buffer.from(result.serializeBinary())).event).to.equal(undefined);
  });

  it('skips fields that it does not know', () => {
    const known = encode(new ReadResp.ReadEvent().setEvent(recorded(EVENT)));
    const field = (number: number, type: number, ...content: number[]): Buffer =>
      Buffer.from([((number << 3) | type) & 0x7f, ...content]);
    const unknown = [
      field(15, 0, 0xff, 0x01),
      field(14, 1, 1, 2, 3, 4, 5, 6, 7, 8),
      field(13, 2, 2, 1, 2),
      field(12, 5, 1, 2, 3, 4),
    ];
    expect(decodeRead(Buffer.concat([...unknown, known, ...unknown])).event).to.deep.equal(EVENT);
  });

  it('fails for every message that is cut off', () => {
    const whole = encode(new ReadResp.ReadEvent().setEvent(recorded(EVENT)));
    for (let length = 1; length < whole.length; length += 1)
      expect(() => decodeRead(whole.subarray(0, length)), `${length} bytes`).to.throw('cut off');
  });
});

describe('Events that earlier versions stored in EventStoreDB', () => {
  const ownership = { streams: /^status-/, isMarked: () => true, onForeign: () => undefined };

  it('have the metadata that was stored after a separator, or none', () => {
    const metadataOf = (metadata: string) => fromWire({ ...EVENT, metadata }, ownership)?.metadata;
    expect(metadataOf('\x1e{"a":1.0}')).to.equal('{"a":1.0}');
    expect(metadataOf('{"a":1}')).to.equal('{"a":1}');
    expect(metadataOf('')).to.equal('{}');
  });
});
