import type { AnyEvent, JsonObject } from '#kernel/event.ts';

/** Payloads that most handlers of an event cannot take, by the way in which they are damaged. */
export function poisonsOf({ samples }: AnyEvent): Record<string, JsonObject> {
  const fields = Object.keys(samples[Math.max(...Object.keys(samples).map(Number))] ?? {});
  const all = (value: JsonObject[string]): JsonObject =>
    Object.fromEntries(fields.map((field) => [field, value]));
  return { 'without any field': {}, 'of odd texts': all('odd'), 'of odd numbers': all('1e400') };
}
