import { expect } from 'chai';
import { type Decider, fold } from '#kernel/decider.ts';
import type { DomainEvent } from '#kernel/event.ts';
import { refusal } from './refusal.ts';

/** A decision that is ready to be made; every member makes it once. */
interface Decision<New> {
  /** Expects exactly these events. */
  then(events: readonly DomainEvent[]): void;
  /** Expects a `RookeryError` with this code, whose message equals the text or matches the pattern. */
  thenRefuses(code: string, message?: string | RegExp): void;
  /** Returns what is decided, for later events and for looser expectations. */
  decided(): New;
}

export interface Given<State> {
  state: State;
  /** Prepares a decision from this state: `decide(state, ...args)`. */
  when<Args extends readonly unknown[], New extends readonly DomainEvent[]>(
    decide: (state: State, ...args: Args) => New,
    ...args: Args
  ): Decision<New>;
}

/** Folds these events into a state: `given(list, created).when(decideUpdate, '1', { title: 'Friends' }).then([])`. */
export function given<State, Event extends DomainEvent>(
  decider: Decider<State, Event>,
  ...events: readonly Event[]
): Given<State> {
  const state = fold(decider, events);
  return {
    state,
    when: (decide, ...args) => {
      const decided = () => decide(state, ...args);
      return {
        then: (expected) => expect(decided()).to.deep.equal(expected),
        thenRefuses: (code, message) => expectRefusal(decided, code, message),
        decided,
      };
    },
  };
}

function expectRefusal(decided: () => unknown, code: string, message?: string | RegExp): void {
  const refused = refusal(decided);
  expect(refused?.[0], 'the code of the refusal').to.equal(code);
  if (typeof message === 'string') expect(refused?.[1]).to.equal(message);
  else if (message) expect(refused?.[1]).to.match(message);
}
