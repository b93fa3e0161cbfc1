import type { Seeded } from './seed.ts';

const IDS = 40;

/**
 * An app's request beside a page of accounts: the reader follows half of them, and does not know the others.
 */
export const relationshipsPath = ({ accounts }: Seeded): string => {
  const asked = [...accounts.slice(1, 1 + IDS / 2), ...accounts.slice(-IDS / 2)];
  return `/api/v1/accounts/relationships?${asked.map(({ id }) => `id[]=${id}`).join('&')}`;
};
