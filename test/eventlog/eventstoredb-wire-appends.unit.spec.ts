import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import {
  decodeAlone,
  decodeShared,
  encodeAlone,
  encodeShared,
} from '#storage/eventlog/eventstoredb-wire-appends.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';

const { AppendReq, AppendResp, BatchAppendReq, BatchAppendResp } = streams;

const ID = '0f343b09-3112-4a20-b133-d67c2b018a3b';
const EVENT = { id: ID, type: 'StatusCreated', data: '{"text":"Ω \\u0000"}', metadata: '{"$v":1}' };
const APPEND = { stream: 'status-Ω', expectedRevision: 7, events: [EVENT, { ...EVENT, data: '{}' }] };

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function eventOf(message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage) {
  expect(message.getMetadataMap().get('content-type')).to.equal('application/json');
  return {
    id: message.getId()?.getString(),
    type: message.getMetadataMap().get('type'),
    data: text(message.getData_asU8()),
    metadata: text(message.getCustomMetadata_asU8()),
  };
}

const place = (position: bigint) =>
  new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition('3');

const failed = (type: string, failure: { serializeBinary: () => Uint8Array }): Buffer => {
  const details = new any.Any();
  details.pack(failure.serializeBinary(), `event_store.client.${type}`);
  const error = new status.Status().setMessage(type).setDetails(details);
  return Buffer.from(new BatchAppendResp().setCorrelationId(uuid()).setError(error).serializeBinary());
};
const uuid = () => new shared.UUID().setString(ID);

describe('The messages of appends to EventStoreDB', () => {
  it('are read by the generated classes as they were meant, in a shared call', () => {
    for (const expectedRevision of [NO_STREAM, 0, 127, 128, 2 ** 40]) {
      const request = BatchAppendReq.deserializeBinary(encodeShared(ID, { ...APPEND, expectedRevision }));
      const options = request.getOptions();
      expect(request.getCorrelationId()?.getString()).to.equal(ID);
      expect(request.getIsFinal()).to.equal(true);
      expect(text(options?.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array())).to.equal(
        APPEND.stream,
      );
      expect(options?.hasNoStream()).to.equal(expectedRevision === NO_STREAM);
      expect(options?.hasStreamPosition()).to.equal(expectedRevision !== NO_STREAM);
      if (expectedRevision !== NO_STREAM)
        expect(options?.getStreamPosition()).to.equal(String(expectedRevision));
      expect(request.getProposedMessagesList().map(eventOf)).to.deep.equal(APPEND.events);
    }
  });

  it('are read by the generated classes as they were meant, in a call of their own', () => {
    for (const expectedRevision of [NO_STREAM, 0, 300]) {
      const [first, ...others] = encodeAlone({ ...APPEND, expectedRevision }).map((message) =>
        AppendReq.deserializeBinary(message),
      );
      const options = first?.getOptions();
      expect(text(options?.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array())).to.equal(
        APPEND.stream,
      );
      expect(options?.hasNoStream()).to.equal(expectedRevision === NO_STREAM);
      if (expectedRevision !== NO_STREAM) expect(options?.getRevision()).to.equal(String(expectedRevision));
      const sent = others.map((message) => message.getProposedMessage());
      expect(sent.map((message) => message && eventOf(message))).to.deep.equal(APPEND.events);
    }
  });

  it('carry texts of any length', () => {
    const long = 'Ω'.repeat(100_000);
    const events = [{ ...EVENT, data: long }];
    const request = BatchAppendReq.deserializeBinary(encodeShared(ID, { ...APPEND, events }));
    expect(request.getProposedMessagesList().map(eventOf)).to.deep.equal(events);
  });

  it('tell the position of an append that succeeded, if the server knows it', () => {
    for (const position of [1n, 2n ** 53n + 1n, 2n ** 63n - 1n]) {
      const success = new BatchAppendResp.Success().setCurrentRevision('9').setPosition(place(position));
      const reply = new BatchAppendResp().setCorrelationId(uuid()).setSuccess(success).setStreamPosition('4');
      expect(decodeShared(Buffer.from(reply.serializeBinary()))).to.deep.equal({
        id: ID,
        appended: { position },
      });
      const own = new AppendResp.Position().setCommitPosition(String(position)).setPreparePosition('3');
      const alone = new AppendResp().setSuccess(
        new AppendResp.Success().setCurrentRevision('9').setPosition(own),
      );
      expect(decodeAlone(Buffer.from(alone.serializeBinary()))).to.deep.equal({ position });
    }
    const unplaced = new BatchAppendResp.Success().setNoPosition(new empty.Empty());
    const reply = new BatchAppendResp().setCorrelationId(uuid()).setSuccess(unplaced);
    expect(decodeShared(Buffer.from(reply.serializeBinary())).appended).to.deep.equal({
      position: undefined,
    });
  });

  it('tell the revision that a stream has instead of the expected one', () => {
    for (const actual of [NO_STREAM, 0, 5]) {
      const wrong = new shared.WrongExpectedVersion();
      if (actual === NO_STREAM) wrong.setCurrentNoStream(new empty.Empty());
      else wrong.setCurrentStreamRevision(String(actual));
      for (const expected of ['none', 'some']) {
        if (expected === 'none') wrong.setExpectedNoStream(new empty.Empty());
        else wrong.setExpectedStreamPosition('3');
        expect(decodeShared(failed('WrongExpectedVersion', wrong))).to.deep.equal({
          id: ID,
          appended: { actual },
        });
      }
      const alone = new AppendResp.WrongExpectedVersion().setExpectedNoStream(new shared.Empty());
      if (actual === NO_STREAM) alone.setCurrentNoStream(new shared.Empty());
      else alone.setCurrentRevision(String(actual)).setCurrentRevision2060(actual);
      const reply = new AppendResp().setWrongExpectedVersion(alone);
      expect(decodeAlone(Buffer.from(reply.serializeBinary()))).to.deep.equal({ actual });
    }
  });

  it('leave any other failure of an append to a call of its own', () => {
    const failures = {
      StreamDeleted: new shared.StreamDeleted(),
      Timeout: new shared.Timeout(),
      AccessDenied: new shared.AccessDenied(),
      MaximumAppendSizeExceeded: new shared.MaximumAppendSizeExceeded().setMaxappendsize(7),
    };
    for (const [type, failure] of Object.entries(failures))
      expect(decodeShared(failed(type, failure)), type).to.deep.equal({ id: ID, appended: undefined });
  });

  it('fail where a reply is cut off or has no result', () => {
    const success = new BatchAppendResp.Success().setCurrentRevision('9').setPosition(place(2n ** 40n));
    const whole = Buffer.from(
      new BatchAppendResp().setCorrelationId(uuid()).setSuccess(success).serializeBinary(),
    );
    for (let length = whole.length - 1; length > 40; length -= 1)
      expect(() => decodeShared(whole.subarray(0, length)), `${length} bytes`).to.throw('cut off');
    expect(() => decodeAlone(Buffer.alloc(0))).to.throw('neither success nor failure');
  });
});
