import type { AccountEvent } from '#events/accounts.ts';
import type { Inboxes } from '#events/federation.ts';
import { type Counted, countedBy } from './counted-state.ts';

/** The maximum number of new URIs and new names of a remote account within `WITHIN` milliseconds. */
const MAX_RELOCATIONS = 3;
const WITHIN = 30 * 86_400_000;

/** The state of an account by its own server. */
interface RemoteState {
  username: string;
  uri: string;
  url: string;
  inboxes: Inboxes | null;
  counted?: Counted;
  suspendedThere?: boolean;
  gone?: true;
  relocations?: readonly string[];
  handleLost?: boolean;
}

/** Returns what a statement of an account's own server changes; undefined for any other event. Pure. */
export function saidByItsServer(state: RemoteState, event: AccountEvent): Partial<RemoteState> | undefined {
  switch (event.type) {
    case 'RemoteInboxesChanged': {
      const { account_id: _, ...inboxes } = event.data;
      return { inboxes };
    }
    case 'RemoteAccountCounted':
      return { counted: countedBy(state.counted, event.data) };
    case 'RemoteAccountSuspended':
    case 'RemoteAccountUnsuspended':
      return { suspendedThere: event.type === 'RemoteAccountSuspended' };
    case 'RemoteAccountGone':
      return { gone: true };
    case 'AccountUriReplaced': {
      const { uri, url, replaced_at } = event.data;
      return { uri, url, relocations: relocatedAt(state, replaced_at) };
    }
    case 'RemoteAccountRenamed': {
      const { username, url, renamed_at } = event.data;
      return { username, url, handleLost: false, relocations: relocatedAt(state, renamed_at) };
    }
    case 'RemoteHandleLost':
      return { handleLost: true };
    default:
      return undefined;
  }
}

const relocatedAt = ({ relocations = [] }: RemoteState, at: string): readonly string[] =>
  [...relocations, at].slice(-MAX_RELOCATIONS);

/** Tells whether a server may change the URI or the name of its account at `now` (ISO 8601). Pure. */
export function mayRelocate({ relocations = [] }: Pick<RemoteState, 'relocations'>, now: string): boolean {
  const recent = relocations.filter((at) => Date.parse(now) - Date.parse(at) < WITHIN);
  return recent.length < MAX_RELOCATIONS;
}
