import streams from '@eventstore/db-client/generated/streams_pb.js';
import { expect } from 'chai';
import {
  readAfter,
  readBefore,
  readFrom,
  readOfStream,
  subscribeAfter,
} from '#storage/eventlog/eventstoredb-requests.ts';

const { ReadReq } = streams;

const optionsOf = (request: Buffer): streams.ReadReq.Options => {
  const options = ReadReq.deserializeBinary(request).getOptions();
  expect(options?.getUuidOption()?.hasString()).to.equal(true);
  return options ?? expect.fail('the request has no options');
};
const commit = (options: streams.ReadReq.Options): string | undefined =>
  options.getAll()?.getPosition()?.getCommitPosition();

describe('The requests for reads of EventStoreDB', () => {
  it('name the position, whatever its size', () => {
    for (const position of [1n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]) {
      const options = optionsOf(readFrom(position, 1));
      expect(commit(options)).to.equal(String(position));
      expect(options.getAll()?.getPosition()?.getPreparePosition()).to.equal(String(position));
      expect(options.getCount()).to.equal('1');
      expect(options.hasNoFilter()).to.equal(true);
    }
  });

  it('begin at the start or the end of the log without a position', () => {
    expect(optionsOf(readAfter(0n, /^x/)).getAll()?.hasStart()).to.equal(true);
    const backwards = optionsOf(readBefore(undefined, 8));
    expect(backwards.getAll()?.hasEnd()).to.equal(true);
    expect(backwards.getReadDirection()).to.equal(ReadReq.Options.ReadDirection.BACKWARDS);
    expect(commit(optionsOf(readBefore(7n)))).to.equal('7');
  });

  it('name a stream and the revision to begin at', () => {
    const options = optionsOf(readOfStream('status-Ω', 300, 20));
    const name = options.getStream()?.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array();
    expect(Buffer.from(name).toString('utf8')).to.equal('status-Ω');
    expect(options.getStream()?.getRevision()).to.equal('300');
    expect(options.getReadDirection()).to.equal(ReadReq.Options.ReadDirection.FORWARDS);
    expect(options.getCount()).to.equal('20');
  });

  it('filter the names of streams, for a read and for a subscription', () => {
    for (const [request, subscribes] of [
      [readAfter(9n, /^status-/), false],
      [subscribeAfter(9n, /^status-/), true],
    ] as const) {
      const options = optionsOf(request);
      expect(options.hasSubscription()).to.equal(subscribes);
      expect(options.hasCount()).to.equal(!subscribes);
      expect(commit(options)).to.equal('9');
      expect(options.getFilter()?.getStreamIdentifier()?.getRegex()).to.equal('^status-');
      expect(options.getFilter()?.getMax()).to.equal(1_000);
      expect(options.getFilter()?.getCheckpointintervalmultiplier()).to.equal(1);
    }
  });
});
