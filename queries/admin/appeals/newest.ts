import type { AppealState } from '#events/appeals.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { RowOf } from '#kernel/table/index.ts';
import type { APPEALS, WARNINGS } from '#projections/account-warnings.ts';

const NEWEST = statement<ListedAppeal>(
  'appeals_newest',
  `select p.id, p.state, p.text, p.created_at, a.username, w.action
   from appeals p join account_warnings w on w.id = p.strike_id join accounts a on a.id = p.account_id
   where $1::text is null or p.state = $1 order by p.id desc limit 200`,
);

export interface ListedAppeal
  extends
    Pick<RowOf<typeof APPEALS>, 'id' | 'state' | 'text' | 'created_at'>,
    Pick<RowOf<typeof WARNINGS>, 'action'> {
  username: string;
}

/** Returns the newest appeals of one state, or of all, at most 200; for the operator. */
export const newestAppeals = (db: Db, state: AppealState | null): Promise<ListedAppeal[]> =>
  db.query(NEWEST, [state]);
