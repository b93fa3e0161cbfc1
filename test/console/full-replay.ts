import { expect } from 'chai';
import type { RecordedEvent } from '#kernel/event.ts';
import type { Db } from '#kernel/read.ts';
import type { Replay } from '#mastodon/schemas/index.ts';
import { accountWarnings } from '#projections/account-warnings.ts';
import { accounts } from '#projections/accounts/index.ts';
import { domainBlocks } from '#projections/domain-blocks.ts';
import { instance } from '#projections/instance.ts';
import { reports } from '#projections/reports.ts';
import { statuses } from '#projections/statuses/index.ts';
import { users } from '#projections/users/index.ts';
import type { Database } from '#storage/postgres/db.ts';
import { applyBatch, createIndexes, createTables, handlersOf } from '#storage/postgres/projector/apply.ts';

const SCHEMA = 'full_replay';
const PROJECTIONS = [accountWarnings, accounts, domainBlocks, instance, reports, statuses, users];

/** Builds the read models event by event, and calls back after each event. */
export async function replayAll(
  db: Database,
  events: readonly RecordedEvent[],
  after: (position: bigint, db: Db) => Promise<void>,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.query(`create schema ${SCHEMA}`);
    await transaction.query(`set local search_path = ${SCHEMA}`);
    for (const projection of PROJECTIONS) {
      await createTables(projection, SCHEMA, transaction);
      await createIndexes(projection, transaction);
    }
    const handlers = PROJECTIONS.map(handlersOf);
    for (const event of events) {
      for (const each of handlers) await applyBatch(each, [event], transaction);
      await after(event.position, transaction);
    }
  });
}

const ACCOUNT = `
  select a.suspended_alone as suspended, a.silenced_alone as silenced, a.sensitized, a.suspended_there, a.gone,
    a.suspended as hidden, a.silenced as limited, a.domain_severity, a.role, a.moved_to::text as moved_to,
    a.display_name, a.locked, a.bot, a.discoverable, a.indexable, u.confirmed, u.approved, u.disabled
  from accounts a left join users u on u.account_id = a.id where a.id = $1`;
const REPORTS = `
  select r.id::text as id, r.account_id::text as account_id, r.target_account_id::text as target_account_id, r.category,
    r.comment, r.assigned_account_id::text as assigned_account_id, r.action_taken_at is not null as resolved,
    r.action_taken_by_account_id::text as resolved_by_account_id, r.rule_ids::jsonb as rule_ids,
    array(select s.status_id::text from report_statuses s where s.report_id = r.id order by s.place) as status_ids,
    array(select n.content from report_notes n where n.report_id = r.id order by n.id) as notes
  from reports r where r.id = any($1::bigint[]) or r.target_account_id = $2 order by r.id`;
const STRIKES = `
  select w.id::text as id, w.action, w.text, w.report_id::text as report_id, w.overruled_at is not null as overruled,
    w.status_ids::jsonb as status_ids, p.state as appeal, coalesce(p.text, '') as appeal_text, coalesce(p.note, '') as appeal_note
  from account_warnings w left join appeals p on p.strike_id = w.id
  where w.id = any($1::bigint[]) or w.account_id = $2 order by w.id`;
const POSTS = `
  select s.id::text as id, s.account_id::text as account_id, s.visibility, s.sensitive, s.deleted, s.text, s.spoiler_text
  from statuses s where s.id = any($1::bigint[]) order by s.id`;
const DOMAIN = `
  select severity, reject_media, reject_reports, obfuscate, private_comment, public_comment from domain_blocks where domain = $1`;
const RULE = `
  select r.text, r.hint, r.removed,
    (select count(*)::int from instance_rules o where not o.removed and o.position <= r.position) as place
  from instance_rules r where r.id = $1`;
const SETTINGS = 'select settings from instance_settings';

/** Compares a replay with the read models of its moment. */
export async function compare(replay: Replay, db: Db): Promise<void> {
  const { kind, id, state } = replay;
  const what = `${kind} ${id} at step ${replay.step}`;
  if (state.account) await compareAccount(state.account, db, what);
  const account = kind === 'account' ? id : '0';
  const idsOf = (list: readonly { id: string }[]): string[] => list.map((each) => each.id);
  const reportRows = await db.query(REPORTS, [idsOf(state.reports), account]);
  const asRows = state.reports.map(({ state: is, shown: _, notes, ...rest }) => ({
    ...rest,
    resolved: is === 'resolved',
    notes: notes.map(({ content }) => content),
  }));
  expect(byId(asRows), `${what}: reports`).to.deep.equal(reportRows);
  const strikeRows = await db.query(STRIKES, [idsOf(state.strikes), account]);
  expect(byId(state.strikes.map(({ shown: _, ...rest }) => rest)), `${what}: strikes`).to.deep.equal(
    strikeRows,
  );
  await comparePosts(state.posts, db, what);
  if (kind === 'domain') {
    const { domain: _, allowed: _allowed, email: _email, ...rules } = state.domain!;
    const [row] = await db.query(DOMAIN, [id]);
    const none = { reject_media: false, reject_reports: false, obfuscate: false };
    const unblocked = { severity: null, ...none, private_comment: null, public_comment: null };
    expect(rules, what).to.deep.equal(row ?? unblocked);
  }
  if (kind === 'rule') {
    const [row] = await db.query<{ text: string; hint: string; removed: boolean; place: number }>(RULE, [id]);
    const { text, hint, place } = state.rule!;
    const there = { text: row?.text, hint: row?.hint, place: row?.removed ? null : row?.place };
    expect({ text, hint, place }, what).to.deep.equal(there);
  }
  if (kind === 'setting') {
    const [row] = await db.query<{ settings: Record<string, unknown> }>(SETTINGS);
    expect(state.setting?.value, what).to.deep.equal(row?.settings[id]);
  }
}

const byId = <Item extends { id: string }>(list: readonly Item[]): Item[] =>
  list.toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));

async function compareAccount(
  account: NonNullable<Replay['state']['account']>,
  db: Db,
  what: string,
): Promise<void> {
  const [row] = await db.query<Record<string, unknown>>(ACCOUNT, [account.id]);
  if (!row) {
    expect(account.state, what).to.be.oneOf(['rejected', 'erased', 'abandoned']);
    return;
  }
  const { hidden, limited, gone, suspended_there, ...rest } = row;
  const named = ['suspended', 'silenced', 'sensitized', 'domain_severity', 'role', 'moved_to'];
  const profile = ['display_name', 'locked', 'bot', 'discoverable', 'indexable'];
  const user = ['confirmed', 'approved', 'disabled'];
  const isUser = rest['confirmed'] !== null && account.state === 'active';
  const names = [...named, ...profile, ...(isUser ? user : [])] as (keyof typeof account)[];
  const pick = (from: Record<string, unknown>): unknown => names.map((name) => [name, from[name]]);
  expect(pick(account), what).to.deep.equal(pick(rest));
  expect([account.suspended_by_own_server, account.state === 'gone'], what).to.deep.equal([
    suspended_there,
    gone,
  ]);
  const { audience } = account;
  if (account.state === 'active' && account.confirmed !== false && account.approved !== false) {
    expect(audience, what).to.equal(hidden ? 'staff' : limited ? 'limited' : 'everyone');
  }
}

async function comparePosts(posts: Replay['state']['posts'], db: Db, what: string): Promise<void> {
  const rows = await db.query<Record<string, unknown>>(POSTS, [posts.map(({ id }) => id)]);
  for (const post of posts) {
    const row = rows.find(({ id }) => id === post.id);
    if (!row || row['deleted'] === true) {
      expect(post.state, `${what}: post`).to.equal('deleted');
      continue;
    }
    const { account_id, visibility, sensitive, state } = post;
    expect({ account_id, visibility, sensitive, state }, `${what}: post`).to.deep.equal({
      account_id: row['account_id'],
      visibility: row['visibility'],
      sensitive: row['sensitive'],
      state: 'visible',
    });
    if (post.evidence || post.shown !== 'whole') continue;
    expect([post.text, post.spoiler_text], what).to.deep.equal([row['text'], row['spoiler_text']]);
  }
}
