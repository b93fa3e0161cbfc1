import {
  type AccountEvent,
  type Profile,
  profileSchema,
  type UserPreferencesChanged,
  type UserRole,
} from '#events/accounts.ts';
import type { Inboxes } from '#events/federation.ts';
import { withVerified } from '#events/verified-links.ts';
import type { Decider } from '#kernel/decider.ts';
import { notFound } from '#kernel/errors.ts';
import type { EventOf } from '#kernel/event.ts';
import type { Counted } from './counted-state.ts';
import { evolveMoves, type Moves, UNMOVED } from './moves-state.ts';
import { saidByItsServer } from './remote-state.ts';
import { type TwoFactor, twoFactor } from './sign-in/two-factor-state.ts';

export type Preferences = Required<
  Omit<EventOf<typeof UserPreferencesChanged>['data'], 'account_id' | 'locale'>
>;

/**
 * The present preferences. A user who never chose an audience has the default of their account
 * (`DEFAULT_PRIVACY`).
 */
export type CurrentPreferences = Omit<Preferences, 'privacy'> & Partial<Pick<Preferences, 'privacy'>>;

/** The user of a local account. */
export interface User {
  email: string;
  /** The address that replaces it once it is confirmed. */
  wantedEmail: string | null;
  locale: string;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  role: UserRole | null;
  twoFactor: TwoFactor;
  /** The application of the sign-up. */
  applicationId: string | null;
  preferences: CurrentPreferences;
}

export interface ExistingAccount {
  state: 'exists';
  id: string;
  username: string;
  domain: string | null;
  uri: string;
  url: string;
  profile: Profile;
  suspended: boolean;
  silenced: boolean;
  sensitized: boolean;
  moves: Moves;
  /** Suspended by its own server. */
  suspendedThere?: boolean;
  /** Deleted by its own server. */
  gone?: true;
  user: User | null;
  /** The inboxes of a remote account; null when unknown. */
  inboxes: Inboxes | null;
  /** When a remote account got another URI or another name, the last times; ISO 8601. */
  relocations?: readonly string[];
  /** Another account has its handle; `username` and `domain` are the former ones. */
  handleLost?: boolean;
  /** The counts from its own server, and the time of reading; remote accounts only. */
  counted?: Counted;
}

/**
 * The state for decisions about one account. `abandoned`: its sign-up failed; `rejected`: staff rejected it;
 * `erased`: it existed, and its name stays taken. All three are final.
 */
export type Account = { state: 'none' | 'abandoned' | 'rejected' | 'erased' } | ExistingAccount;

export const DEFAULT_PREFERENCES: CurrentPreferences = {
  sensitive: false,
  language: null,
  quote_policy: 'public',
  expand_media: 'default',
  expand_spoilers: false,
  aggregate_reblogs: true,
  autoplay_gifs: false,
};

const AS_SIGNED_UP = { disabled: false, wantedEmail: null, twoFactor: twoFactor.initialState };
const UNMODERATED = { suspended: false, silenced: false, sensitized: false };

export const account: Decider<Account, AccountEvent> = {
  initialState: { state: 'none' },
  evolve(state, event) {
    if (event.type === 'SignUpAbandoned') return { state: 'abandoned' };
    if (event.type === 'UserRejected') return { state: 'rejected' };
    if (event.type === 'AccountErased') return { state: 'erased' };
    if (event.type === 'AccountCreated') {
      const { id, username, domain, uri, url } = event.data;
      const profile = profileSchema.parse(event.data);
      const nothingElse = { ...UNMODERATED, moves: UNMOVED, user: null, inboxes: null };
      return { state: 'exists', id, username, domain, uri, url, profile, ...nothingElse };
    }
    return state.state === 'exists' ? evolveExisting(state, event) : state;
  },
};

/** Returns the account and its user. @throws RookeryError `not_found` */
export function requireUser(state: Account): { account: ExistingAccount; user: User } {
  if (state.state !== 'exists' || !state.user) throw notFound();
  return { account: state, user: state.user };
}

type LaterEvent = Exclude<
  AccountEvent,
  { type: 'AccountCreated' | 'SignUpAbandoned' | 'UserRejected' | 'AccountErased' }
>;

function evolveExisting(state: ExistingAccount, event: LaterEvent): ExistingAccount {
  const said = saidByItsServer(state, event);
  if (said) return { ...state, ...said };
  switch (event.type) {
    case 'AccountUpdated': {
      const { id: _, ...changes } = event.data;
      return { ...state, profile: { ...state.profile, ...defined(changes) } };
    }
    case 'AccountLinkVerified': {
      const { profile } = state;
      return { ...state, profile: { ...profile, fields: withVerified(profile.fields, event.data) } };
    }
    case 'AccountSuspended':
      return { ...state, suspended: true };
    case 'AccountUnsuspended':
      return { ...state, suspended: false };
    case 'AccountSilenced':
      return { ...state, silenced: true };
    case 'AccountUnsilenced':
      return { ...state, silenced: false };
    case 'AccountSensitized':
      return { ...state, sensitized: true };
    case 'AccountUnsensitized':
      return { ...state, sensitized: false };
    case 'UserRegistered': {
      const { email, locale, confirmed, approved, role, application_id: applicationId } = event.data;
      const user = { email, locale, confirmed, approved, role, applicationId, ...AS_SIGNED_UP };
      return { ...state, user: { ...user, preferences: DEFAULT_PREFERENCES } };
    }
    default: {
      const { user } = state;
      return { ...state, moves: evolveMoves(state.moves, event), user: user && evolveUser(user, event) };
    }
  }
}

function evolveUser(user: User, event: LaterEvent): User {
  switch (event.type) {
    case 'UserConfirmed':
      return { ...user, email: event.data.email, confirmed: true };
    case 'UserEmailChanged':
      return { ...user, email: event.data.email, wantedEmail: null, confirmed: event.data.confirmed };
    case 'UserEmailChangeRequested':
      return { ...user, wantedEmail: event.data.email };
    case 'UserPasswordReset':
      // A new password cancels requests made with the old one, which another person may have known.
      return { ...user, wantedEmail: null, twoFactor: twoFactor.evolve(user.twoFactor, event) };
    case 'UserApproved':
      return { ...user, approved: true };
    case 'UserDisabled':
      return { ...user, disabled: true };
    case 'UserEnabled':
      return { ...user, disabled: false };
    case 'UserRoleChanged':
      return { ...user, role: event.data.role };
    case 'UserPreferencesChanged': {
      const { account_id: _, locale = user.locale, ...changes } = event.data;
      return { ...user, locale, preferences: { ...user.preferences, ...defined(changes) } };
    }
    default:
      return { ...user, twoFactor: twoFactor.evolve(user.twoFactor, event) };
  }
}

/** Omits undefined members, which would overwrite existing ones. */
function defined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> };
}
