import { REMOTE_ACCOUNTS_CHANNEL } from '#events/federation.ts';
import {
  RelayAccepted,
  RelayAdded,
  RelayDisabled,
  RelayEnabled,
  RelayRejected,
  RelayRemoved,
} from '#events/relays.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, table, tablesOf, text, textOf, timestamptz, together } from '#kernel/table/index.ts';

export const RELAYS = table(
  'relays',
  {
    id: bigint,
    inbox_url: text,
    /** Null for a relay of Mastodon's form. */
    actor_url: text.orNull,
    host: text,
    state: textOf<'idle' | 'pending' | 'accepted' | 'rejected'>(),
    follow_id: bigint.nullAtFirst,
    /** The actor that signs the relay's deliveries; null until the relay accepts. */
    actor: text.nullAtFirst,
    created_at: timestamptz,
  },
  ['id'],
);
/** Posts have a remote recipient from now on. */
const ANNOUNCE = statement('relays_announce', `select pg_notify('${REMOTE_ACCOUNTS_CHANNEL}', '')`);

const keys = ({ data }: { data: { id: string } }): string[] => [data.id];

/** The relays that staff added, and their states. */
export const relays: Projection = {
  name: 'relays',
  version: 1,
  group: MAIN,
  tables: tablesOf(RELAYS),
  indexes: [],
  handlers: [
    on(RelayAdded, {
      keys,
      apply: RELAYS.insert().each(({ data, metadata: { time } }) => ({
        ...data,
        host: data.inbox_url.split('/')[2] ?? '',
        state: 'idle' as const,
        created_at: time,
      })),
    }),
    on(RelayEnabled, {
      keys,
      apply: together(
        ANNOUNCE,
        RELAYS.set('state', 'follow_id', 'actor').each(({ data }) => ({
          ...data,
          state: 'pending' as const,
          actor: null,
        })),
      ),
    }),
    on(RelayAccepted, {
      keys,
      apply: RELAYS.set('state', 'actor').each(({ data }) => ({ ...data, state: 'accepted' as const })),
    }),
    on(RelayRejected, {
      keys,
      apply: RELAYS.set('state', 'actor').each(({ data: { id } }) => ({
        id,
        state: 'rejected' as const,
        actor: null,
      })),
    }),
    on(RelayDisabled, {
      keys,
      apply: RELAYS.set('state', 'follow_id', 'actor').each(({ data: { id } }) => ({
        id,
        state: 'idle' as const,
        follow_id: null,
        actor: null,
      })),
    }),
    on(RelayRemoved, { keys, apply: RELAYS.remove().each(({ data }) => data) }),
  ],
};
