import type { RecordedEvent } from '#kernel/event.ts';
import type { Codec } from './codec.ts';
import type { EventLog, EventStore, NewEvent } from './port.ts';
import { SharedTail } from './shared-tail.ts';

/**
 * Puts the codec in front of a storage engine, which is followed once for all followers.
 * @param streams matches the stream names of this program. An append to any other stream is refused, since an
 * engine that other programs share would not return it
 */
export function createEventLog(store: EventStore, codec: Codec, streams?: RegExp): EventLog {
  const tail = new SharedTail(store);
  return {
    async append(stream, expectedRevision, events: readonly NewEvent[]) {
      if (streams?.test(stream) === false) throw new RangeError(`${stream} is missing in STREAM_NAMES`);
      const encoded = await Promise.all(events.map((event) => codec.encode(event)));
      return store.append(stream, expectedRevision, encoded);
    },
    async readStream(stream, options) {
      return codec.decode(await store.readStream(stream), options);
    },
    async readStreams(several) {
      return codec.decode(await store.readStreams(several));
    },
    async readAll(after, limit, options) {
      return codec.decode(await store.readAll(after, limit), options);
    },
    async find(position) {
      const event = await store.find(position);
      return event && (await codec.decode([event]))[0];
    },
    head: () => store.head(),
    async *subscribeAll(after, options): AsyncIterable<RecordedEvent[]> {
      for await (const events of tail.subscribeAll(after, options)) {
        yield codec.decode(events, { remember: true, keepUnreadable: true });
      }
    },
    close() {
      tail.close();
      return store.close();
    },
  };
}
