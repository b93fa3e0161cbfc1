import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Channel } from '#interfaces/streaming/channels.ts';
import { Feed, type Listener, type Message } from '#interfaces/streaming/feed.ts';
import { readResumeToken, resumeTokenText } from '#interfaces/streaming/resume-token.ts';
import type { RecordedEvent } from '#kernel/event.ts';
import type { Db } from '#kernel/read.ts';
import type { EventLog } from '#storage/eventlog/port.ts';

/** A log of filters that change, one request each. */
class FakeLog implements Pick<EventLog, 'head' | 'readAll' | 'subscribeAll'> {
  size: number;
  read = 0;
  #wake = Promise.withResolvers<undefined>();

  constructor(size: number) {
    this.size = size;
  }

  append(): void {
    this.size += 1;
    this.#wake.resolve(undefined);
    this.#wake = Promise.withResolvers();
  }

  head(): Promise<bigint> {
    return Promise.resolve(BigInt(this.size));
  }

  readAll(after: bigint, limit: number): Promise<RecordedEvent[]> {
    const count = Math.min(limit, this.size - Number(after));
    this.read += count;
    return Promise.resolve(Array.from({ length: count }, (_, index) => event(Number(after) + index + 1)));
  }

  async *subscribeAll(after: bigint, { signal }: { signal: AbortSignal }): AsyncIterable<RecordedEvent[]> {
    const aborted = new Promise<undefined>((resolve) =>
      signal.addEventListener('abort', () => resolve(undefined)),
    );
    for (let position = after; !signal.aborted;) {
      if (Number(position) >= this.size) await Promise.race([this.#wake.promise, aborted]);
      if (signal.aborted) return;
      const events = await this.readAll(position, 100);
      position += BigInt(events.length);
      yield events;
    }
  }
}

const event = (position: number): RecordedEvent => ({
  position: BigInt(position),
  stream: 'filter-1',
  revision: position,
  id: `e${position}`,
  type: 'FilterDeleted',
  data: { filter_id: '1', account_id: '7' },
  metadata: { time: '2026-11-22T00:00:00.000Z', command_id: 'c', correlation_id: `request ${position}` },
});

describe('The feed of streams', () => {
  const feedOf = (log: FakeLog, reached: () => true | Promise<boolean> = () => true): Feed =>
    new Feed({ log, db: {} as Db, reached, onLost: (error) => expect.fail(String(error)) });
  const listenerOf = (heard: string[], accountId = '7', ip = '203.0.113.7'): Listener => ({
    ctx: { viewer: { account_id: accountId }, ip } as Listener['ctx'],
    channel: { name: 'user', label: ['user'], account: true } as unknown as Channel,
    send: ({ place }: Message) => heard.push(place ? resumeTokenText(place) : 'no place'),
    tooOld: (head) => heard.push(`too old, from ${head}`),
    signal: new AbortController().signal,
  });

  it('sends a client that reconnects everything that it missed, once and in order, and then live events', async () => {
    const log = new FakeLog(1_000);
    const feed = feedOf(log);
    const heard: string[] = [];
    const listener = listenerOf(heard);
    const adding = feed.add(listener, { after: 100n });
    for (let n = 0; n < 50; n += 1) {
      log.append();
      if (n % 7 === 0) await turn();
    }
    await adding;
    log.append();
    while (heard.length < 951) await turn();
    expect(heard).to.deep.equal(Array.from({ length: 951 }, (_, index) => String(101 + index)));
    feed.remove(listener);
  });

  it('reads at most 10,000 missed events for a client, which otherwise starts again', async () => {
    const enough = new FakeLog(10_000);
    const heard: string[] = [];
    await feedOf(enough).add(listenerOf(heard), { after: 0n });
    expect(heard).to.have.length(10_000);
    const tooMany = new FakeLog(50_000);
    const feed = feedOf(tooMany);
    const later: string[] = [];
    await feed.add(listenerOf(later), { after: 0n });
    expect(later.at(-1)).to.equal('too old, from 50000');
    expect(tooMany.read).to.be.lessThan(10_500);
    tooMany.append();
    while (later.at(-1) !== '50001') await turn();
  });

  it('reads 50,000 events in five minutes for an account and 200,000 for an address, which otherwise start again', async () => {
    const log = new FakeLog(10_000);
    const feed = feedOf(log);
    const missed = async (account: string, ip?: string): Promise<string[]> => {
      const heard: string[] = [];
      await feed.add(listenerOf(heard, account, ip), { after: 0n });
      return heard;
    };
    for (let back = 0; back < 5; back += 1) expect(await missed('7')).to.have.length(10_000);
    const before = log.read;
    expect(await missed('7')).to.deep.equal(['too old, from 10000']);
    expect(log.read - before).to.be.at.most(200);
    for (const account of ['8', '9', '10']) {
      for (let back = 0; back < 5; back += 1) await missed(account);
    }
    expect(await missed('11')).to.deep.equal(['too old, from 10000']);
    // All events concern the account 7 alone.
    expect(await missed('12', '203.0.113.8')).to.deep.equal([]);
    expect(await missed('13', '127.0.0.1')).to.deep.equal([]);
  });

  it('lets reconnecting accounts take turns', async () => {
    const log = new FakeLog(10_000);
    const feed = feedOf(log);
    const greedy: string[] = [];
    const adding = Array.from({ length: 50 }, () => feed.add(listenerOf(greedy), { after: 0n }));
    await feed.add(listenerOf([], '8'), { after: 9_000n });
    expect(greedy.length).to.be.lessThan(10_000);
    await Promise.all(adding);
  });

  it('forgets clients that leave while they wait for a turn', async () => {
    const log = new FakeLog(10_000);
    const feed = feedOf(log);
    const gone = new AbortController();
    const heard: string[] = [];
    const adding = Array.from({ length: 5 }, () =>
      feed.add({ ...listenerOf(heard), signal: gone.signal }, { after: 0n }),
    );
    while (log.read === 0) await Promise.resolve();
    gone.abort();
    await Promise.all(adding);
    expect(log.read).to.be.at.most(1_000);
    const later: string[] = [];
    await feed.add(listenerOf(later), { after: 9_999n });
    expect(later).to.deep.equal(['10000']);
  });

  it('sends nothing that the read models do not contain yet', async () => {
    const log = new FakeLog(0);
    const waiting = Promise.withResolvers<boolean>();
    const feed = feedOf(log, () => waiting.promise);
    const heard: string[] = [];
    await feed.add(listenerOf(heard), { after: 0n });
    log.append();
    for (let n = 0; n < 10; n += 1) await turn();
    expect(heard).to.deep.equal([]);
    waiting.resolve(true);
    while (heard.length === 0) await turn();
    expect(heard).to.deep.equal(['1']);
  });

  it('writes places as it reads them', () => {
    for (const text of ['0', '17', '17-18-3'])
      expect(resumeTokenText(readResumeToken(text) ?? { after: -1n })).to.equal(text);
    for (const text of ['', 'x', '-1', '1-2', '1-2-', '1-2-3-4', '1'.repeat(20), ' 1', '1\n']) {
      expect(readResumeToken(text), text).to.equal(undefined);
    }
  });
});
