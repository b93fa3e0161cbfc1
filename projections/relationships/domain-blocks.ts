import { UserDomainBlocked, UserDomainUnblocked } from '#events/domain-blocks.ts';
import { type BoundHandler, newestOfAccount, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

export const domainBlockTables = {
  user_domain_blocks: `
    account_id bigint not null,
    domain text collate "C" not null,
    id bigint not null,
    primary key (account_id, domain)`,
};
export const domainBlockIndexes = newestOfAccount('user_domain_blocks');

const INSERT = statement(
  'user_domain_blocks_insert',
  `insert into user_domain_blocks (account_id, domain, id)
   select * from unnest($1::bigint[], $2::text[], $3::bigint[])`,
);
const DELETE = statement(
  'user_domain_blocks_delete',
  `delete from user_domain_blocks b using unnest($1::bigint[], $2::text[]) as n (account_id, domain)
   where b.account_id = n.account_id and b.domain = n.domain`,
);

interface DomainBlock {
  account_id: string;
  domain: string;
}
const keys = ({ data }: { data: DomainBlock }): string[] => [`${data.account_id} ${data.domain}`];
const columnsOf = (events: readonly { data: DomainBlock }[]): unknown[][] => [
  events.map(({ data }) => data.account_id),
  events.map(({ data }) => data.domain),
];

/** The domains that each account blocks. */
export const domainBlockHandlers: BoundHandler[] = [
  on(UserDomainBlocked, {
    keys,
    apply: async (events, db) => {
      // The block of an erased account has no domain.
      const named = events.filter(({ data }) => data.domain !== '');
      await db.query(INSERT, [...columnsOf(named), named.map(({ data }) => data.id)]);
    },
  }),
  on(UserDomainUnblocked, {
    keys,
    apply: async (events, db) => {
      await db.query(DELETE, columnsOf(events));
    },
  }),
];
