import type { InteractionPolicy } from '#events/statuses.ts';
import type { Db } from '#kernel/read.ts';
import { bigint, bigints, boolean, jsonText, table, text, texts } from '#kernel/table/index.ts';

export const POLICIES = table(
  'interaction_policies',
  { status_id: bigint, policy: jsonText<InteractionPolicy>() },
  ['status_id'],
);
/** By the id of the reply, reblog or favourite. */
export const REQUESTS = table(
  'interaction_requests',
  {
    id: bigint,
    kind: text,
    account_id: bigint,
    status_id: bigint,
    status_account_id: bigint,
    polite: boolean,
    visibility: text.orNull,
    mentioned: bigints,
    tags: texts,
  },
  ['id'],
);
export const AUTHORIZATIONS = table(
  'interaction_authorizations',
  { id: bigint, account_id: bigint, uri: text, author_uri: text.orNull },
  ['id'],
);
const PUT_POLICIES = POLICIES.put();
const FORGET_POLICIES = POLICIES.remove();
const FORGET_REQUESTS = REQUESTS.remove();
const AUTHORIZE = AUTHORIZATIONS.insert();

interface Changed {
  id: string;
  interaction_policy: InteractionPolicy | null;
}

/**
 * Stores the policies of posts, and deletes those of open ones. Each post occurs once, with its last policy.
 */
export async function changePolicies(changes: readonly Changed[], db: Db): Promise<void> {
  const last = [...new Map(changes.map((change) => [change.id, change])).values()];
  await PUT_POLICIES(
    last.flatMap(({ id: status_id, interaction_policy: policy }) => (policy ? [{ status_id, policy }] : [])),
    db,
  );
  const open = last.filter(({ interaction_policy: policy }) => policy === null);
  await FORGET_POLICIES(
    open.map(({ id }) => ({ status_id: id })),
    db,
  );
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
  const rows = approved.flatMap(({ authorization: uri, ...row }) =>
    uri === undefined ? [] : [{ ...row, uri }],
  );
  await FORGET_REQUESTS.from(rows, db);
  await AUTHORIZE(rows, db);
}
