import type { EventBrowser } from '#kernel/services/event-browser.ts';

/** The most events that one proof covers: each needs the hashes of a path through the tree. */
const MOST = 50;

interface Act {
  position: string;
  command_id: string;
  correlation_id: string;
}

/**
 * Returns the positions of the events of an act, in the order of the log: those of its command, and the mail that its
 * user was sent because of it. Looks near the event of the act only.
 */
export async function eventsOfAct(
  eventBrowser: Pick<EventBrowser, 'around'>,
  { position, command_id, correlation_id }: Act,
): Promise<string[]> {
  const events = await eventBrowser.around(correlation_id, position);
  const positions = events
    .filter(({ type, metadata }) => metadata.command_id === command_id || type === 'StrikeMailed')
    .map((event) => event.position)
    .filter((each) => each !== position)
    .slice(0, MOST - 1);
  return [...positions, position].sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
}
