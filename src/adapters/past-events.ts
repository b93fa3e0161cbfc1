import type { AnyEvent, RecordedEvent } from '#kernel/event.ts';
import type { PastEvents } from '#kernel/services/past-events.ts';
import type { SubjectKeys } from '#storage/eventlog/codec.ts';
import { type EventLog, outage } from '#storage/eventlog/port.ts';

interface Dependencies {
  log: Pick<EventLog, 'readStreams'>;
  keys: Pick<SubjectKeys, 'load'>;
  definitions: readonly AnyEvent[];
}

/** Reads the past of single things from the log, and says which events lost their personal fields. */
export function createPastEvents({ log, keys, definitions }: Dependencies): PastEvents {
  const catalogue = new Map(definitions.map((definition) => [definition.type, definition]));
  const subjectOf = ({ type, data }: RecordedEvent): string | undefined =>
    catalogue.get(type)?.personal?.subject(data);
  return {
    ofStreams: async (streams) => {
      try {
        const events = await log.readStreams(streams);
        const subjects = [...new Set(events.flatMap((event) => subjectOf(event) ?? []))];
        const living = subjects.length === 0 ? new Map<string, unknown>() : await keys.load(subjects);
        return events.map((event) => {
          const subject = subjectOf(event);
          return { ...event, erased: subject !== undefined && !living.has(subject) };
        });
      } catch (error) {
        throw outage(error);
      }
    },
  };
}
