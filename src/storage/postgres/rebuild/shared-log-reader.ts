import type { RecordedEvent } from '#kernel/event.ts';
import { allDone } from '../projector/apply.ts';

export type LogReader = (pages: AsyncIterable<readonly RecordedEvent[]>) => Promise<void>;

export interface SharedLogReaderOptions {
  /** Returns the events after a position, in order; none at the end. */
  read: (after: bigint) => Promise<readonly RecordedEvent[]>;
  after: bigint;
  /** Each reader handles all pages, and finishes one before it asks for the next. */
  readers: readonly LogReader[];
  /** Called in order, when all readers have passed the page. */
  onPassed: (events: readonly RecordedEvent[]) => void;
}

interface SharedPage {
  events: readonly RecordedEvent[];
  pass: () => void;
  next: Promise<SharedPage | undefined>;
}

/**
 * Several readers go through the log, each at its own pace, but all within the same three pages: the next
 * page is read when all have passed the first of these. When one fails, the others stop after their current
 * page.
 * @throws the error of the first reader that fails
 */
export async function readLogTogether({
  read,
  after,
  readers,
  onPassed,
}: SharedLogReaderOptions): Promise<void> {
  const stop = Promise.withResolvers<undefined>();
  let stopped = false;

  const open = async (position: bigint, room: Promise<void>): Promise<SharedPage | undefined> => {
    await Promise.race([room, stop.promise]);
    const events = stopped ? [] : await read(position);
    const last = events.at(-1);
    if (!last) return undefined;
    const passed = Promise.withResolvers<undefined>();
    let walking = readers.length;
    const pass = (): void => {
      walking -= 1;
      if (walking > 0) return;
      onPassed(events);
      passed.resolve(undefined);
    };
    const next = open(last.position, older);
    older = previous;
    previous = passed.promise;
    // The error reaches the reader of that page.
    next.catch(() => undefined);
    return { events, pass, next };
  };
  /** Resolves when all readers have passed the last page, and the one before it. */
  let previous: Promise<void> = Promise.resolve();
  let older = previous;
  async function* pagesFrom(
    next: Promise<SharedPage | undefined> | undefined,
  ): AsyncGenerator<readonly RecordedEvent[]> {
    for (;;) {
      const page = await next;
      if (!page || stopped) return;
      next = page.next;
      yield page.events;
      page.pass();
    }
  }
  const run = async (reader: LogReader, pages: AsyncIterable<readonly RecordedEvent[]>): Promise<void> => {
    try {
      await reader(pages);
    } catch (error) {
      stopped = true;
      stop.resolve(undefined);
      throw error;
    }
  };
  let first: Promise<SharedPage | undefined> | undefined = open(after, previous);
  // It may fail before the first reader asks for it.
  first.catch(() => undefined);
  const running = readers.map((reader) => run(reader, pagesFrom(first)));
  // Each page leads to the next one: a reference to the first one would keep the whole log in memory.
  first = undefined;
  await allDone(running);
}
