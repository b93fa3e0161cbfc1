import { type Statement, statement } from '#kernel/read.ts';

export interface Pair {
  account_id: string;
  target_account_id: string;
}

/** Events of different pairs are independent. */
export const keys = ({ data }: { data: Pair }): string[] => [`${data.account_id} ${data.target_account_id}`];

/** The first two columns of every table of pairs. */
export const PAIR_COLUMNS = `
  account_id bigint not null,
  target_account_id bigint not null`;
/** The primary key of all these tables. */
export const PAIR_KEY = 'primary key (account_id, target_account_id)';

/** The pairs as two arrays for `unnest`. */
export const pairsOf = (pairs: readonly Pair[]): unknown[][] => [
  pairs.map(({ account_id }) => account_id),
  pairs.map(({ target_account_id }) => target_account_id),
];

/** Deletes the rows of these pairs (`pairsOf`). */
export const deletePairs = (table: string): Statement =>
  statement(
    `${table}_delete`,
    `delete from ${table} t using unnest($1::bigint[], $2::bigint[]) as n (account_id, target_account_id)
     where t.account_id = n.account_id and t.target_account_id = n.target_account_id`,
  );
