import { StatusRemoved, StatusSensitized, StatusUnsensitized } from '#events/statuses.ts';
import type { EventDefinition } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { type Change, change } from './changes.ts';
import { type AuditDetails, readStates, writeEntries } from './entries.ts';
import { audited } from './rule.ts';
import { strikeKey } from './strikes.ts';

interface OfStatus {
  id: string;
  account_id: string;
}

/** The key of the account: a post and its strike stay in order. */
const key = ({ account_id }: OfStatus): string => `account/${account_id}`;

const detailsOf = ({ id, account_id }: OfStatus, changes: Change[]): AuditDetails => ({
  target: { type: 'status', id, name: null },
  account_id,
  changes,
});

/** Has an entry in old logs only, where the strike comes later and joins it. */
const byStrike = <Type extends string, Data extends OfStatus & { strike_id: string }>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  changes: (data: Data) => Change[],
): BoundHandler =>
  on<Type, Data>(definition, {
    keys: ({ data }) => [key(data)],
    apply: async (events, db) => {
      const known = await readStates([...new Set(events.map(({ data }) => strikeKey(data.strike_id)))], db);
      const first = events.filter(({ data }) => !known.has(strikeKey(data.strike_id)));
      await writeEntries(
        first.map((event) => ({ event, action, details: detailsOf(event.data, changes(event.data)) })),
        db,
      );
    },
  });

/** Actions of staff on single posts. */
export const statusHandlers: readonly BoundHandler[] = [
  byStrike(StatusRemoved, 'status.deleted', () => [change('deleted', false, true)]),
  byStrike(StatusSensitized, 'status.sensitized', ({ sensitive }) => [change('sensitive', sensitive, true)]),
  audited(StatusUnsensitized, {
    action: 'status.unsensitized',
    key,
    describe: (data) => detailsOf(data, [change('marked_by_staff', true, false)]),
  }),
];
