import { EmailDomainBlocked, EmailDomainUnblocked } from '#events/email-domain-blocks.ts';
import { columns, MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'email_domain_blocks_insert',
  `insert into email_domain_blocks (id, domain, allow_with_approval, created_at)
   select * from unnest($1::bigint[], $2::text[], $3::bool[], $4::timestamptz[])`,
);
const DELETE = statement(
  'email_domain_blocks_delete',
  'delete from email_domain_blocks where domain = any($1::text[])',
);

/** The e-mail domains that staff blocked. */
export const emailDomainBlocks: Projection = {
  name: 'email-domain-blocks',
  version: 2,
  group: MAIN,
  tables: {
    email_domain_blocks: `
      domain text collate "C" primary key,
      id bigint not null,
      allow_with_approval boolean not null,
      created_at timestamptz not null`,
  },
  indexes: ['create index email_domain_blocks_id on email_domain_blocks (id)'],
  handlers: [
    on(EmailDomainBlocked, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        const times = events.map(({ metadata }) => metadata.time);
        await db.query(INSERT, [...columns(events, 'id', 'domain', 'allow_with_approval'), times]);
      },
    }),
    on(EmailDomainUnblocked, {
      keys: ({ data }) => [data.domain],
      apply: async (events, db) => {
        await db.query(DELETE, columns(events, 'domain'));
      },
    }),
  ],
};
