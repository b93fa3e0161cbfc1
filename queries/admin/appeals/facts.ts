import type { AppealState } from '#events/appeals.ts';
import type { StrikeAction } from '#events/moderation.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { outranks } from '#mastodon/permissions.ts';
import { type MemberOfStaff, staffWhoMay } from '../accounts/index.ts';

const FACTS = statement<AppealFacts>(
  'appeal_facts',
  `select p.account_id, p.strike_id, p.state, w.action, w.staff_account_id as imposed_by
   from appeals p join account_warnings w on w.id = p.strike_id where p.id = $1`,
);

/**
 * The appellant, the strike and its author (null for the operator), which never change, and the state, which
 * changes.
 */
export interface AppealFacts {
  account_id: Id;
  strike_id: Id;
  action: StrikeAction;
  state: AppealState;
  imposed_by: Id | null;
}

export async function appealOf(db: Db, appealId: Id): Promise<AppealFacts | undefined> {
  const [row] = await db.query(FACTS, [appealId]);
  return row;
}

/**
 * Returns the staff members who may decide appeals of a user with that role: by permission and higher rank.
 */
export const judgesOf = async (db: Db, role: string | null): Promise<MemberOfStaff[]> =>
  (await staffWhoMay(db, 'manage_appeals')).filter((each) => !each.moved && outranks(each.role, role));
