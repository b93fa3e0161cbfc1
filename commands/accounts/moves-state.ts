import type { AccountEvent } from '../../src/events/accounts.ts';
import type { Id } from '../../src/kernel/ids.ts';

/** Which other accounts are the same person's, and whether that person uses another one now. */
export interface Moves {
  /** URIs, in the order in which they were named. */
  aliases: readonly string[];
  /** The account that is used instead. */
  to: Id | null;
  /** Whether followers were led there too. */
  withFollowers: boolean;
  /** When followers were led away last, also where that was taken back; ISO 8601. */
  lastAt: string | null;
}

export const UNMOVED: Moves = { aliases: [], to: null, withFollowers: false, lastAt: null };

/** Pure; events about anything else change nothing. */
export function evolveMoves(state: Moves, event: AccountEvent): Moves {
  switch (event.type) {
    case 'AccountAliasAdded':
      return { ...state, aliases: [...state.aliases, event.data.uri] };
    case 'AccountAliasRemoved':
      return { ...state, aliases: state.aliases.filter((uri) => uri !== event.data.uri) };
    case 'AccountMoved': {
      const { target_account_id: to, moved_at, with_followers: withFollowers } = event.data;
      return { ...state, to, withFollowers, lastAt: withFollowers ? moved_at : state.lastAt };
    }
    case 'AccountMoveCancelled':
      return { ...state, to: null, withFollowers: false };
    default:
      return state;
  }
}

/** As Mastodon has it between two moves of one account, in milliseconds: followers are not to be led around. */
const MOVES_AFTER = 30 * 86_400_000;

/** Whether followers were led away so short a time before `now` (ISO 8601) that they may not be once more. */
export const hasJustMoved = ({ lastAt }: Moves, now: string): boolean =>
  lastAt !== null && Date.parse(now) - Date.parse(lastAt) < MOVES_AFTER;
