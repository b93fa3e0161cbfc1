import type { AccountEvent } from '#events/accounts.ts';
import type { Decider } from '#kernel/decider.ts';
import { placesOfPictures } from '../accounts/index.ts';

/** The data of an account outside of the log and the read models, and the progress of its erasure. */
export interface Traces {
  /** Every address that it had; erased with the key. */
  emails: readonly string[];
  /** The files of all its avatars and headers, present and former. */
  pictures: readonly string[];
  /** The erasure was decided, or the account's own server deleted it. */
  ends: boolean;
  /** The erasure is complete. */
  done: boolean;
}

export const traces: Decider<Traces, AccountEvent> = {
  initialState: { emails: [], pictures: [], ends: false, done: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'AccountCreated':
      case 'AccountUpdated':
        return { ...state, pictures: withNew(state.pictures, placesOfPictures(data)) };
      case 'UserRegistered':
      case 'UserConfirmed':
      case 'UserEmailChanged':
      case 'UserEmailChangeRequested':
        return { ...state, emails: withNew(state.emails, data.email === '' ? [] : [data.email]) };
      case 'AccountErased':
      case 'UserRejected':
      case 'RemoteAccountGone':
        return { ...state, ends: true };
      case 'PersonalDataErased':
        return { ...state, done: true };
      default:
        return state;
    }
  },
};

const withNew = (known: readonly string[], more: readonly string[]): readonly string[] =>
  more.length === 0 ? known : [...new Set([...known, ...more])];
