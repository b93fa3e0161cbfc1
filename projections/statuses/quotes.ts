import { QuoteAccepted, QuoteProposed, QuoteRejected, QuoteRevoked } from '#events/quotes.ts';
import { type BoundHandler, columns, on } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import { countStatuses } from './counts.ts';
import { AUTHORIZATIONS } from './tables.ts';

/** Quotes of a deleted post no longer count. */
const IS_THERE = 'not exists (select from statuses q where q.id = n.quoted_id and q.deleted)';
/** Attaches a quote that was not known when its post arrived. */
const ATTACH = statement(
  'statuses_quote_attach',
  `update statuses s set quote_id = n.quoted_id, quote_state = 'pending'
   from unnest($1::bigint[], $2::bigint[]) as n (id, quoted_id)
   where s.id = n.id and s.quote_state is null and ${IS_THERE}`,
);
const AUTHORIZE = AUTHORIZATIONS.put();
const ACCEPT = statement<{ quote_id: string }>(
  'statuses_quote_accept',
  `update statuses s set quote_id = n.quoted_id, quote_state = 'accepted'
   from unnest($1::bigint[], $2::bigint[]) as n (id, quoted_id)
   where s.id = n.id and (s.quote_state is null or (s.quote_state = 'pending' and s.quote_id = n.quoted_id)) and ${IS_THERE}
   returning s.quote_id`,
);
const REJECT = statement(
  'statuses_quote_reject',
  `update statuses set quote_state = 'rejected' where id = any($1) and quote_state = 'pending'`,
);
/** Returns the quotes that counted. */
const REVOKE = statement<{ quote_id: string }>(
  'statuses_quote_revoke',
  `with was as (select id, quote_id, quote_state from statuses where id = any($1)),
     done as (update statuses set quote_state = 'revoked' where id = any($1))
   select quote_id from was where quote_state = 'accepted'`,
);
/** Forgets the authorizations of posts that no longer quote. */
export const FORGET_AUTHORIZATIONS = AUTHORIZATIONS.remove();

/** The deletion of the quoted post changes its quotes. */
const byStatus = {
  keys: ({ data }: { data: { id: string } }) => [data.id],
  reads: ({ data }: { data: { quoted_id: string } }) => [data.quoted_id],
};

/** Changes of quotes after the quoting post was published. */
export const quoteHandlers: readonly BoundHandler[] = [
  on(QuoteProposed, {
    ...byStatus,
    apply: async (events, db) => {
      await db.query(ATTACH, columns(events, 'id', 'quoted_id'));
      await AUTHORIZE(
        events.map(({ data }) => ({ status_id: data.id, uri: data.authorization })),
        db,
      );
    },
  }),
  on(QuoteAccepted, {
    ...byStatus,
    apply: async (events, db) => {
      const accepted = await db.query(ACCEPT, columns(events, 'id', 'quoted_id'));
      await countStatuses(
        accepted.map(({ quote_id: id }) => ({ id, quotes: 1 })),
        db,
      );
    },
  }),
  on(QuoteRejected, {
    ...byStatus,
    apply: async (events, db) => {
      await db.query(REJECT, columns(events, 'id'));
    },
  }),
  on(QuoteRevoked, {
    ...byStatus,
    apply: async (events, db) => {
      const ids = columns(events, 'id');
      const revoked = await db.query(REVOKE, ids);
      await FORGET_AUTHORIZATIONS(
        events.map(({ data }) => ({ status_id: data.id })),
        db,
      );
      await countStatuses(
        revoked.map(({ quote_id: id }) => ({ id, quotes: -1 })),
        db,
      );
    },
  }),
];
