import type { AccountEvent } from '#events/accounts.ts';
import type { Id } from '#kernel/ids.ts';

/** The other accounts of the same user, and the one that they use now. */
export interface Moves {
  /** URIs, in the order of their addition. */
  aliases: readonly string[];
  /** The account that replaces this one. */
  to: Id | null;
  /** Whether followers moved too. */
  withFollowers: boolean;
  /** The time of the last move of followers, even if it was cancelled; ISO 8601. */
  lastAt: string | null;
}

export const UNMOVED: Moves = { aliases: [], to: null, withFollowers: false, lastAt: null };

/** Ignores events about anything else. Pure. */
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

/** The minimum between two moves of one account, as in Mastodon, in milliseconds. */
const MOVES_AFTER = 30 * 86_400_000;

/** Tells whether followers moved too recently before `now` (ISO 8601) to move again. */
export const hasJustMoved = ({ lastAt }: Moves, now: string): boolean =>
  lastAt !== null && Date.parse(now) - Date.parse(lastAt) < MOVES_AFTER;
