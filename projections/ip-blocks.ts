import { IP_BLOCKS_CHANNEL, IpBlockChanged, IpBlocked, ipBlockKey, IpUnblocked } from '#events/ip-blocks.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { bigint, cidr, table, tablesOf, text, textC, timestamptz, together } from '#kernel/table/index.ts';

const BLOCKS = table(
  'ip_blocks',
  {
    digest: textC,
    id: bigint,
    ip: cidr,
    severity: text,
    comment: text,
    expires_at: timestamptz.orNull,
    created_at: timestamptz,
    key_id: bigint,
  },
  ['digest'],
);
/** Postgres announces it when the rows are committed, so listeners find them. */
const ANNOUNCE = statement('ip_blocks_announce', `select pg_notify('${IP_BLOCKS_CHANNEL}', '')`);

const keys = ({ data }: { data: { digest: string } }): string[] => [data.digest];

/** The ranges of addresses that staff blocked. */
export const ipBlocks: Projection = {
  name: 'ip-blocks',
  version: 3,
  group: MAIN,
  tables: tablesOf(BLOCKS),
  indexes: ['create index ip_blocks_id on ip_blocks (id)'],
  handlers: [
    on(IpBlocked, {
      keys,
      apply: together(
        // The range of a lifted block is erased, also for a server that shows the past.
        BLOCKS.insert().each(({ data, metadata: { time } }) =>
          data.ip === '' ? [] : [{ ...data, created_at: time, key_id: ipBlockKey(data) }],
        ),
        ANNOUNCE,
      ),
    }),
    on(IpBlockChanged, {
      keys,
      apply: together(
        BLOCKS.patch('severity', 'comment', 'expires_at').each(({ data }) => data),
        ANNOUNCE,
      ),
    }),
    on(IpUnblocked, {
      keys,
      apply: together(
        BLOCKS.remove().each(({ data }) => data),
        ANNOUNCE,
      ),
    }),
  ],
};
