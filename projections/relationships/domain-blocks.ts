import { UserDomainBlocked, UserDomainUnblocked } from '#events/domain-blocks.ts';
import { type BoundHandler, newestOfAccount, on } from '#kernel/projection.ts';
import { bigint, table, textC } from '#kernel/table/index.ts';

export const DOMAIN_BLOCKS = table('user_domain_blocks', { account_id: bigint, domain: textC, id: bigint }, [
  'account_id',
  'domain',
]);
export const domainBlockIndexes = newestOfAccount('user_domain_blocks');

const keys = ({ data }: { data: { account_id: string; domain: string } }): string[] => [
  `${data.account_id} ${data.domain}`,
];

/** The domains that each account blocks. */
export const domainBlockHandlers: BoundHandler[] = [
  on(UserDomainBlocked, {
    keys,
    // The block of an erased account has no domain.
    apply: DOMAIN_BLOCKS.insert().each(({ data }) => (data.domain === '' ? [] : [data])),
  }),
  on(UserDomainUnblocked, { keys, apply: DOMAIN_BLOCKS.remove().each(({ data }) => data) }),
];
