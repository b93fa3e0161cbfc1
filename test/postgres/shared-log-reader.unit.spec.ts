import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import { readLogTogether } from '#storage/postgres/rebuild/shared-log-reader.ts';

const PAGES = 9n;

/** A log with one event on each page. */
const read = (after: bigint): Promise<RecordedEvent[]> =>
  Promise.resolve(after < PAGES ? [{ position: after + 1n } as RecordedEvent] : []);

describe('Reading the log by several walkers together', () => {
  type Pages = AsyncIterable<readonly RecordedEvent[]>;

  it('passes each page to every walker once and in order, at any pace', async () => {
    const all = Array.from({ length: Number(PAGES) }, (_, index) => BigInt(index + 1));
    const passed: bigint[] = [];
    const seen: bigint[][] = [[], [], []];
    const readers = seen.map((mine, pace) => async (pages: Pages) => {
      for await (const [event] of pages) {
        await sleep(pace * 2);
        mine.push(event?.position ?? 0n);
      }
    });
    await readLogTogether({
      read,
      after: 0n,
      readers,
      onPassed: ([event]) => passed.push(event?.position ?? 0n),
    });
    expect(seen).to.deep.equal([all, all, all]);
    expect(passed).to.deep.equal(all);
  });

  it('reads at most two pages ahead of the slowest walker', async () => {
    let newest = 0n;
    let ahead = 0n;
    const noting = (after: bigint): Promise<RecordedEvent[]> => {
      newest = after + 1n;
      return read(after);
    };
    const quick = async (pages: Pages): Promise<void> => {
      for await (const _ of pages);
    };
    const slow = async (pages: Pages): Promise<void> => {
      for await (const [event] of pages) {
        await sleep(3);
        ahead = newest - (event?.position ?? 0n) > ahead ? newest - (event?.position ?? 0n) : ahead;
      }
    };
    await readLogTogether({ read: noting, after: 0n, readers: [quick, slow], onPassed: () => undefined });
    expect(ahead).to.equal(2n);
  });

  it('forgets a page when every walker has passed it', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const pages: WeakRef<object>[] = [];
    const remembering = async (after: bigint): Promise<RecordedEvent[]> => {
      const events = await read(after);
      if (events.length > 0) pages.push(new WeakRef(events));
      return events;
    };
    let kept = 0;
    const walker = async (walked: Pages): Promise<void> => {
      for await (const [event] of walked) {
        if (event?.position !== PAGES - 1n) continue;
        await setImmediate();
        collectGarbage();
        kept = pages.slice(0, 4).filter((page) => page.deref() !== undefined).length;
      }
    };
    await readLogTogether({ read: remembering, after: 0n, readers: [walker], onPassed: () => undefined });
    expect(kept).to.equal(0);
  });

  it('ends for all walkers when one of them fails, even before its first page', async () => {
    for (const guilty of [0n, 1n, 5n]) {
      const failing = async (pages: Pages): Promise<void> => {
        if (guilty === 0n) throw new Error('cannot take 0');
        for await (const [event] of pages)
          if (event?.position === guilty) throw new Error(`cannot take ${guilty}`);
      };
      let furthest = 0n;
      const other = async (pages: Pages): Promise<void> => {
        for await (const [event] of pages) furthest = event?.position ?? furthest;
      };
      const walk = readLogTogether({ read, after: 0n, readers: [failing, other], onPassed: () => undefined });
      expect(await walk.catch((error: unknown) => error)).to.have.property(
        'message',
        `cannot take ${guilty}`,
      );
      expect(furthest < PAGES).to.equal(true);
    }
  });

  it('fails when a page cannot be read', async () => {
    const broken = (after: bigint): Promise<RecordedEvent[]> =>
      after < 2n ? read(after) : Promise.reject(new Error('no such page'));
    const walker = async (pages: Pages): Promise<void> => {
      for await (const _ of pages);
    };
    const walk = readLogTogether({
      read: broken,
      after: 0n,
      readers: [walker, walker],
      onPassed: () => undefined,
    });
    expect(await walk.catch((error: unknown) => error)).to.have.property('message', 'no such page');
  });

  it('fails without unhandled rejections when the walkers ask later', async () => {
    const unheard: unknown[] = [];
    const hear = (reason: unknown): unknown => unheard.push(reason);
    process.on('unhandledRejection', hear);
    const walk = readLogTogether({
      read: () => Promise.reject(new Error('no such page')),
      after: 0n,
      readers: [
        async (pages) => {
          await setImmediate();
          for await (const _ of pages);
        },
      ],
      onPassed: () => undefined,
    });
    expect(await walk.catch((error: unknown) => error)).to.have.property('message', 'no such page');
    process.off('unhandledRejection', hear);
    expect(unheard).to.deep.equal([]);
  });
});
