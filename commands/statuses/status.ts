import type { StatusEvent } from '../../src/events/statuses.ts';
import type { Decider } from '../../src/kernel/decider.ts';

type Created = Extract<StatusEvent, { type: 'StatusCreated' }>['data'];

/** What a decision about one post rests on. */
export type Status = { state: 'none' } | { state: 'visible' | 'deleted'; created: Created };

export const status: Decider<Status, StatusEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    switch (event.type) {
      case 'StatusCreated':
        return { state: 'visible', created: event.data };
      case 'StatusDeleted':
        return state.state === 'none' ? state : { ...state, state: 'deleted' };
    }
  },
};
