import type { AccountEvent } from '#events/accounts.ts';
import type { RecommendationEvent } from '#events/suggestions.ts';
import { plainText } from '#mastodon/html.ts';
import { type AccountFacts, type Past, shownOf } from './world.ts';

type Event = AccountEvent | RecommendationEvent;
type Created = Extract<AccountEvent, { type: 'AccountCreated' }>['data'];
type Updated = Extract<AccountEvent, { type: 'AccountUpdated' }>['data'];

/** Returns an account after an event of its streams; undefined before it is created. */
export function evolveAccount(
  before: AccountFacts | undefined,
  event: Past<Event>,
): AccountFacts | undefined {
  if (event.type === 'AccountCreated') return created(event.data, shownOf(event));
  if (!before) return undefined;
  const change = flagsAfter(event) ?? userAfter(event);
  if (change) return { ...before, ...change };
  if (event.type !== 'AccountUpdated') return before;
  return {
    ...before,
    ...profileOf(event.data, before.domain !== null),
    shown: event.erased ? 'erased' : before.shown,
  };
}

const created = (data: Created, shown: 'whole' | 'erased'): AccountFacts => ({
  id: data.id,
  username: data.username,
  domain: data.domain,
  state: 'active',
  silenced: false,
  suspended: false,
  sensitized: false,
  disabled: false,
  suspended_by_own_server: false,
  confirmed: null,
  approved: null,
  role: null,
  moved_to: null,
  recommended: false,
  display_name: '',
  note: '',
  fields: [],
  avatar: false,
  header: false,
  locked: false,
  bot: false,
  discoverable: null,
  indexable: false,
  shown,
  ...profileOf(data, data.domain !== null),
});

/** Returns the parts of a profile that an event has. Notes of other servers are HTML. */
function profileOf(data: Updated, isRemote: boolean): Partial<AccountFacts> {
  const { display_name, note, fields, avatar, header, locked, bot, discoverable, indexable } = data;
  return {
    ...(display_name !== undefined && { display_name }),
    ...(note !== undefined && { note: isRemote ? plainText(note) : note }),
    ...(fields !== undefined && {
      fields: fields.map(({ name, value }) => `${name}: ${isRemote ? plainText(value) : value}`),
    }),
    ...(avatar !== undefined && { avatar: avatar !== null }),
    ...(header !== undefined && { header: header !== null }),
    ...(locked !== undefined && { locked }),
    ...(bot !== undefined && { bot }),
    ...(discoverable !== undefined && { discoverable }),
    ...(indexable !== undefined && { indexable }),
  };
}

function flagsAfter({ type }: Past<Event>): Partial<AccountFacts> | undefined {
  switch (type) {
    case 'AccountSuspended':
      return { suspended: true };
    case 'AccountUnsuspended':
      return { suspended: false };
    case 'AccountSilenced':
      return { silenced: true };
    case 'AccountUnsilenced':
      return { silenced: false };
    case 'AccountSensitized':
      return { sensitized: true };
    case 'AccountUnsensitized':
      return { sensitized: false };
    case 'RemoteAccountSuspended':
      return { suspended_by_own_server: true };
    case 'RemoteAccountUnsuspended':
      return { suspended_by_own_server: false };
    case 'RemoteAccountGone':
      return { state: 'gone' };
    case 'AccountErased':
      return { state: 'erased' };
    case 'UserRejected':
      return { state: 'rejected' };
    case 'SignUpAbandoned':
      return { state: 'abandoned' };
    case 'AccountRecommended':
      return { recommended: true };
    case 'AccountRecommendationEnded':
      return { recommended: false };
    default:
      return undefined;
  }
}

function userAfter(event: Past<Event>): Partial<AccountFacts> | undefined {
  switch (event.type) {
    case 'UserRegistered': {
      const { confirmed, approved, role } = event.data;
      return { confirmed, approved, role };
    }
    case 'UserConfirmed':
      return { confirmed: true };
    case 'UserEmailChanged':
      return { confirmed: event.data.confirmed };
    case 'UserApproved':
      return { approved: true };
    case 'UserDisabled':
      return { disabled: true };
    case 'UserEnabled':
      return { disabled: false };
    case 'UserRoleChanged':
      return { role: event.data.role };
    case 'AccountMoved':
      return { moved_to: event.data.target_account_id };
    case 'AccountMoveCancelled':
      return { moved_to: null };
    case 'RemoteAccountRenamed':
      return { username: event.data.username };
    case 'PersonalDataErased':
      return { role: null, moved_to: null };
    default:
      return undefined;
  }
}
