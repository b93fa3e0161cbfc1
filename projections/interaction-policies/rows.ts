import type { InteractionPolicy } from '#events/statuses.ts';
import { type Db, statement } from '#kernel/read.ts';

const SET = statement(
  'interaction_policies_upsert',
  `insert into interaction_policies (status_id, policy) select * from unnest($1::bigint[], $2::text[])
   on conflict (status_id) do update set policy = excluded.policy`,
);
const FORGET = statement(
  'interaction_policies_delete',
  'delete from interaction_policies where status_id = any($1::bigint[])',
);
const KEEP = statement(
  'interaction_requests_insert',
  `insert into interaction_requests (id, kind, account_id, status_id, status_account_id, polite, visibility, mentioned, tags)
   select n.id, n.kind, n.account_id, n.status_id, n.status_account_id, n.polite, n.visibility,
     (select coalesce(array_agg(m::bigint), '{}') from json_array_elements_text(n.mentioned::json) m),
     (select coalesce(array_agg(t), '{}') from json_array_elements_text(n.tags::json) t)
   from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bool[], $7::text[], $8::text[], $9::text[])
     as n (id, kind, account_id, status_id, status_account_id, polite, visibility, mentioned, tags)`,
);
const END = statement(
  'interaction_requests_delete',
  'delete from interaction_requests where id = any($1::bigint[])',
);
const AUTHORIZE = statement(
  'interaction_authorizations_insert',
  `insert into interaction_authorizations (id, account_id, uri, author_uri)
   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])`,
);

interface Changed {
  id: string;
  interaction_policy: InteractionPolicy | null;
}

/**
 * Stores the policies of posts, and deletes those of open ones. Each post occurs once, with its last policy.
 */
export async function changePolicies(changes: readonly Changed[], db: Db): Promise<void> {
  const last = [...new Map(changes.map((change) => [change.id, change])).values()];
  const set = last.filter(({ interaction_policy: policy }) => policy !== null);
  const open = last.filter(({ interaction_policy: policy }) => policy === null);
  if (set.length > 0) {
    await db.query(SET, [
      set.map(({ id }) => id),
      set.map(({ interaction_policy: policy }) => JSON.stringify(policy)),
    ]);
  }
  await forgetPolicies(
    open.map(({ id }) => id),
    db,
  );
}

export async function forgetPolicies(ids: readonly string[], db: Db): Promise<void> {
  if (ids.length > 0) await db.query(FORGET, [ids]);
}

interface Request {
  id: string;
  kind: string;
  account_id: string;
  status_id: string;
  status_account_id: string;
  polite: boolean;
  visibility: string | null;
  mentioned: readonly string[];
  tags: readonly string[];
}

export async function keepRequests(requests: readonly Request[], db: Db): Promise<void> {
  await db.query(KEEP, [
    requests.map(({ id }) => id),
    requests.map(({ kind }) => kind),
    requests.map(({ account_id }) => account_id),
    requests.map(({ status_id }) => status_id),
    requests.map(({ status_account_id }) => status_account_id),
    requests.map(({ polite }) => polite),
    requests.map(({ visibility }) => visibility),
    requests.map(({ mentioned }) => JSON.stringify(mentioned)),
    requests.map(({ tags }) => JSON.stringify(tags)),
  ]);
}

export async function forgetRequests(ids: readonly string[], db: Db): Promise<void> {
  if (ids.length > 0) await db.query(END, [ids]);
}

export interface Authorized {
  id: string;
  account_id: string;
  authorization?: string | undefined;
  /** Absent when the authorization is by the account that was asked. */
  author_uri?: string | undefined;
}

/** Stores authorizations, and ends the requests that they approve. */
export async function keepAuthorizations(approved: readonly Authorized[], db: Db): Promise<void> {
  const rows = approved.filter(({ authorization }) => authorization !== undefined);
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await forgetRequests(ids, db);
  await db.query(AUTHORIZE, [
    ids,
    rows.map(({ account_id }) => account_id),
    rows.map(({ authorization }) => authorization),
    rows.map(({ author_uri }) => author_uri ?? null),
  ]);
}
