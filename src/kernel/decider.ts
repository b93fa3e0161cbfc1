import type { DomainEvent } from './event.ts';

/** The write side of one stream: an initial state and how each event changes it. Pure. */
export interface Decider<State, Event extends DomainEvent> {
  initialState: State;
  evolve: (state: State, event: Event) => State;
}

/** Folds events over the initial state. */
export function fold<State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  events: readonly Event[],
): State {
  return events.reduce(decider.evolve, decider.initialState);
}
