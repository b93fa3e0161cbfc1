import { type Db, statement } from '#kernel/read.ts';

const UNREPORTED = statement<UnreportedDamage>(
  'damaged_events_unreported',
  `select 'damage ' || position || ' ' || cause as key, position, event_type, cause from durable.damaged_events
   where reported_at is null and 'damage ' || position || ' ' || cause <> all($1) order by position limit 100`,
);

/** An event whose fields cannot be decrypted, and that the audit log does not name yet. */
export interface UnreportedDamage {
  key: string;
  position: string;
  event_type: string;
  cause: 'fields' | 'key';
}

export const unreportedDamage = (db: Db, except: readonly string[]): Promise<UnreportedDamage[]> =>
  db.query(UNREPORTED, [except]);
