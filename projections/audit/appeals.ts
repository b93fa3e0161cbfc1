import { AppealApproved, AppealFiled, AppealRejected, AppealWithdrawn } from '#events/appeals.ts';
import type { EventDefinition, RecordedOf } from '#kernel/event.ts';
import { type BoundHandler, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import type { AuditAction } from '#mastodon/audit-log.ts';
import { change, type Value } from './changes.ts';
import { type AuditDetails, writeEntries } from './entries.ts';
import { audited } from './rule.ts';

/** Links the end of the action by the same command, which is the event before, in the same stream. */
const LINK = statement(
  'audit_appeals_link',
  `update audit_entries e set appeal_id = n.appeal_id, strike_id = n.strike_id
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as n (account_id, command_id, appeal_id, strike_id)
   where e.account_id = n.account_id and e.command_id = n.command_id and e.target_type = 'account'
     and e.appeal_id is null`,
);

interface OfAppeal {
  id: string;
  account_id: string;
  strike_id: string;
}

const key = ({ account_id }: OfAppeal): string => `account/${account_id}`;

const about = ({ id, account_id, strike_id }: OfAppeal): Omit<AuditDetails, 'changes'> => ({
  target: { type: 'appeal', id, name: null },
  account_id,
  strike_id,
  appeal_id: id,
});

/** The new state of an appeal, which was pending unless it is new. */
const details = <Type extends string, Data extends OfAppeal>(
  definition: EventDefinition<Type, Data>,
  action: AuditAction,
  [before, after]: readonly [before: Value, after: Value],
): BoundHandler =>
  audited(definition, {
    action,
    key,
    describe: (data) => ({ ...about(data), changes: [change('state', before, after)] }),
  });

/** Appeals, decisions, and the actions that a decision ends: their entries name the appeal. */
export const appealHandlers: readonly BoundHandler[] = [
  details(AppealFiled, 'appeal.created', [null, 'pending']),
  details(AppealWithdrawn, 'appeal.withdrawn', ['pending', 'withdrawn']),
  details(AppealRejected, 'appeal.rejected', ['pending', 'rejected']),
  on(AppealApproved, {
    keys: ({ data }) => [key(data)],
    apply: async (events: readonly RecordedOf<typeof AppealApproved>[], db) => {
      await db.query(LINK, [
        events.map(({ data }) => data.account_id),
        events.map(({ metadata }) => metadata.command_id),
        events.map(({ data }) => data.id),
        events.map(({ data }) => data.strike_id),
      ]);
      await writeEntries(
        events.map((event) => ({
          event,
          action: 'appeal.approved',
          details: { ...about(event.data), changes: [change('state', 'pending', 'approved')] },
        })),
        db,
      );
    },
  }),
];
