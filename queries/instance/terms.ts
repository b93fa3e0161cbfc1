import { z } from 'zod';
import type { RequestContext } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import { statement } from '#kernel/read.ts';
import { calendarDay } from '#kernel/time.ts';
import { type TermsOfService, termsOfServiceSchema } from '#mastodon/schemas/index.ts';
import type { TermsOfServiceRow } from '#projections/instance.ts';

const COLUMNS = `t.effective_date::text, t.content,
  (select min(n.effective_date)::text from terms_of_service n where n.effective_date > t.effective_date) as succeeded_by`;

/** The terms in force; before the first ones take effect, those. */
const CURRENT = statement<Row>(
  'terms_of_service_current',
  `select ${COLUMNS} from terms_of_service t
   order by t.effective_date <= $1::date desc,
     case when t.effective_date <= $1::date then t.effective_date end desc, t.effective_date
   limit 1`,
);
const OF_DATE = statement<Row>(
  'terms_of_service_of_date',
  `select ${COLUMNS} from terms_of_service t where t.effective_date = $1::date`,
);

type Row = TermsOfServiceRow & Pick<TermsOfService, 'succeeded_by'>;

/** Returns the terms that take effect on a day, or those in force on it. @throws RookeryError `not_found` */
export async function termsOfService(
  { db, now }: Pick<RequestContext, 'db' | 'now'>,
  date?: string,
): Promise<TermsOfService> {
  const today = now.slice(0, 10);
  const [row] = await db.query(date === undefined ? CURRENT : OF_DATE, [date ?? today]);
  return entity(row, today);
}

function entity(row: Row | undefined, today: string): TermsOfService {
  if (!row) throw notFound();
  return {
    effective_date: row.effective_date,
    effective: row.effective_date <= today,
    content: row.content,
    succeeded_by: row.succeeded_by,
  };
}

/** https://docs.joinmastodon.org/methods/instance/#terms_of_service */
export const showTerms = endpoint({
  method: 'GET',
  path: '/api/v1/instance/terms_of_service',
  summary: 'View the terms of service',
  auth: 'public',
  scopes: [],
  reply: termsOfServiceSchema,
  errors: [404],
  handler: async (ctx) => {
    return { json: await termsOfService(ctx) };
  },
});

/** https://docs.joinmastodon.org/methods/instance/#terms_of_service_date */
export const showTermsOfDate = endpoint({
  method: 'GET',
  path: '/api/v1/instance/terms_of_service/:date',
  summary: 'View the terms of service that take effect on a day',
  auth: 'public',
  scopes: [],
  params: z.object({
    date: calendarDay.describe('The day on which the terms take effect, such as 2026-11-22.'),
  }),
  reply: termsOfServiceSchema,
  handler: async (ctx, { params }) => {
    return { json: await termsOfService(ctx, params.date) };
  },
});
