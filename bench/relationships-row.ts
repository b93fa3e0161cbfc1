import type { Seeded } from './seed.ts';

const IDS = 40;

/** What an app asks for beside a page of accounts: half of them the reader follows, half of them he does not know. */
export const relationshipsPath = ({ accounts }: Seeded): string => {
  const asked = [...accounts.slice(1, 1 + IDS / 2), ...accounts.slice(-IDS / 2)];
  return `/api/v1/accounts/relationships?${asked.map(({ id }) => `id[]=${id}`).join('&')}`;
};
