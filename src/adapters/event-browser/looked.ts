import type { Looked } from '#kernel/services/event-browser.ts';

/** Says which part of the log a list of events is, in the order of the log. */
export const lookedAt = (events: readonly { position: bigint }[]): Looked => ({
  events: events.length,
  first: textOf(events.at(0)),
  last: textOf(events.at(-1)),
});

const textOf = (event: { position: bigint } | undefined): string | null =>
  event ? String(event.position) : null;
