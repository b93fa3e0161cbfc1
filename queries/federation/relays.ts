import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { RELAYS } from '#projections/relays.ts';

/** A relay as the federation sees it. */
export type KnownRelay = Pick<RowOf<typeof RELAYS>, 'id' | 'inbox_url' | 'actor_url' | 'actor' | 'follow_id'>;

/** More relays than there can be. */
const MOST = 100;
const COLUMNS = 'id, inbox_url, actor_url, actor, follow_id';
const ENABLED = statement<KnownRelay>(
  'federation_relays_enabled',
  `select ${COLUMNS} from relays where state = 'accepted' order by id limit ${MOST}`,
);
const BY_ACTOR = statement<KnownRelay>(
  'federation_relay_by_actor',
  `select ${COLUMNS} from relays where actor = $1 and state = 'accepted' limit 1`,
);
const ASKED = statement<KnownRelay>(
  'federation_relays_asked',
  `select ${COLUMNS} from relays where host = $1 and follow_id is not null order by id limit ${MOST}`,
);

/** Returns the relays that accepted. */
export const enabledRelays = (db: Db): Promise<KnownRelay[]> => db.query(ENABLED);

/** Returns the accepted relay that signs as this actor. */
export const relayOfActor = async (db: Db, actor: string): Promise<KnownRelay | undefined> =>
  (await db.query(BY_ACTOR, [actor]))[0];

/** Returns the relays of a host that this server subscribed to, whatever they answered. */
export const askedRelays = (db: Db, host: string): Promise<KnownRelay[]> => db.query(ASKED, [host]);
