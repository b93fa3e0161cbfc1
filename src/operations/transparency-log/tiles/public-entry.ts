import { parseOrNothing } from '#kernel/parse-json.ts';
import type { StoredEvent } from '#storage/eventlog/port.ts';

/** Tells whether the public may know type and time of an event. `data` reads its stored data, which is done for few events. */
export type PublicEvent = (type: string, data: () => unknown) => boolean;

/** Returns what is public of an event: members of a JSON object. Those of a blinded event are its position alone. */
export function publicLine({ position, type, data, metadata }: StoredEvent, isPublic: PublicEvent): string {
  const place = `"position":"${position}"`;
  if (!isPublic(type, () => parseOrNothing(data))) return place;
  return `${place},"type":${JSON.stringify(type)},"time":${JSON.stringify(timeIn(metadata))}`;
}

function timeIn(metadata: string): string | null {
  const { time } = Object(parseOrNothing(metadata)) as { time?: unknown };
  return typeof time === 'string' ? time : null;
}
