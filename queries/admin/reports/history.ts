/** The maximum number of related reports, strikes and notes. */
const MOST = 10;
const MOST_NOTES = 40;
/** A longer comment is on the page of its report. */
const EXCERPT = 200;

const iso = (moment: string): string =>
  `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL: the name of an account as JSON, or null. */
const named = (account: string): string =>
  `(select json_build_object('id', h.id::text, 'acct', case when h.domain is null then h.username else h.username || '@' || h.domain end)
    from accounts h where h.id = ${account})`;

const list = (members: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${members}) order by x.id desc), '[]') from (${from}) x)`;

const RELATED = `'id', x.id::text, 'category', x.category, 'comment', left(x.comment, ${EXCERPT}), 'created_at', ${iso('x.created_at')},
  'action_taken_at', ${iso('x.action_taken_at')}, 'account', ${named('x.account_id')},
  'target_account', ${named('x.target_account_id')}, 'action_taken_by_account', ${named('x.action_taken_by_account_id')}`;

/** SQL: the reports whose column is this account, without one, as JSON: how many, and the newest. */
export const reportsWhere = (
  column: 'account_id' | 'target_account_id',
  account: string,
  except = '0',
): string => {
  const those = `from reports o where o.${column} = ${account} and o.id <> ${except}`;
  return `json_build_object('count', (select count(*) ${those}),
    'reports', ${list(RELATED, `select o.* ${those} order by o.id desc limit ${MOST}`)})::text`;
};

/** SQL: the newest strikes against an account, as JSON. */
export const strikesAgainst = (account: string): string =>
  `${list(
    `'id', x.id::text, 'action', x.action, 'text', x.text, 'created_at', ${iso('x.created_at')},
     'overruled_at', ${iso('x.overruled_at')}, 'report_id', x.report_id::text, 'account', ${named('x.staff_account_id')},
     'appeal', (select json_build_object('id', p.id::text, 'state', p.state) from appeals p where p.strike_id = x.id)`,
    `select w.* from account_warnings w where w.account_id = ${account} order by w.id desc limit ${MOST}`,
  )}::text`;

/** SQL: the newest notes about reports that meet a condition on the report's id, as JSON. */
export const notesWhere = (condition: string): string =>
  `${list(
    `'id', x.id::text, 'report_id', x.report_id::text, 'content', x.content, 'created_at', ${iso('x.created_at')},
     'account', ${named('x.account_id')}`,
    `select n.* from report_notes n where n.report_id ${condition} order by n.id desc limit ${MOST_NOTES}`,
  )}::text`;
