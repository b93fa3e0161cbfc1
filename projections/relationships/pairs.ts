import { bigint } from '#kernel/table/index.ts';

export interface Pair {
  account_id: string;
  target_account_id: string;
}

/** Events of different pairs are independent. */
export const keys = ({ data }: { data: Pair }): string[] => [`${data.account_id} ${data.target_account_id}`];

/** The first two columns of every table of pairs. */
export const PAIR = { account_id: bigint, target_account_id: bigint };
/** The primary key of all these tables. */
export const PAIR_KEY = ['account_id', 'target_account_id'] as const;
