import type { AdminEvent } from '#mastodon/schemas/index.ts';

/** One command with the events that it stored. */
export interface TracedCommand {
  /** Milliseconds after the first event of the trace. */
  after: number;
  events: TracedEvent[];
}

export interface TracedEvent {
  event: AdminEvent;
  /** The commands of reactors to this event. */
  commands: TracedCommand[];
}

/**
 * Makes a tree of the events of one correlation id: the commands of the request first, and below each event the
 * commands that reactors ran because of it. A command whose cause is not among the events counts as one of the request.
 */
export function treeOf(events: readonly AdminEvent[]): TracedCommand[] {
  const start = Date.parse(events[0]?.time ?? '');
  const known = new Map(events.map((event) => [event.id, event]));
  const roots: TracedCommand[] = [];
  const traced = new Map<string, TracedEvent>();
  const commands = new Map<string, TracedCommand>();
  for (const event of events) {
    const node: TracedEvent = { event, commands: [] };
    // A cause has a lower position, so its node exists.
    const cause = event.causation_id !== null && known.has(event.causation_id) ? event.causation_id : '';
    const key = `${cause}/${event.command_id}`;
    let command = commands.get(key);
    if (!command) {
      command = { after: Date.parse(event.time) - start, events: [] };
      commands.set(key, command);
      (traced.get(cause)?.commands ?? roots).push(command);
    }
    command.events.push(node);
    traced.set(event.id, node);
  }
  return roots;
}
