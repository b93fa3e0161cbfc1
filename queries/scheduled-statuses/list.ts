import { z } from 'zod';
import { endpoint } from '#kernel/endpoint.ts';
import { idParams } from '#kernel/input.ts';
import { keysetStatement, pageParameters, readPage } from '#kernel/paging.ts';
import { scheduledStatusSchema } from '#mastodon/schemas/index.ts';
import type { ScheduledStatusRow } from '#projections/scheduled-statuses.ts';
import { readyArray } from '../entities/ready-json.ts';
import { COLUMNS, scheduledStatusesJson, scheduledStatusText } from './read.ts';

const LIST = keysetStatement<ScheduledStatusRow>(
  'scheduled_statuses_list',
  (order) => `select ${COLUMNS} from scheduled_statuses
    where account_id = $1 and id < $2 and id > $3 order by id ${order} limit $4`,
);

/** https://docs.joinmastodon.org/methods/scheduled_statuses/#get */
export const listScheduledStatuses = endpoint({
  method: 'GET',
  path: '/api/v1/scheduled_statuses',
  summary: 'View your scheduled statuses',
  auth: 'user',
  scopes: ['read:statuses'],
  query: z.object(pageParameters(20, 40)),
  reply: z.array(scheduledStatusSchema),
  handler: async (ctx, { query }) => {
    const { rows, page } = await readPage(ctx, LIST, query, ({ id }) => id);
    return { text: readyArray(await scheduledStatusesJson(ctx.db, rows), ctx.instance), page };
  },
});

/** https://docs.joinmastodon.org/methods/scheduled_statuses/#get-one */
export const showScheduledStatus = endpoint({
  method: 'GET',
  path: '/api/v1/scheduled_statuses/:id',
  summary: 'View one of your scheduled statuses',
  auth: 'user',
  scopes: ['read:statuses'],
  params: idParams,
  reply: scheduledStatusSchema,
  handler: async (ctx, { params: { id } }) => {
    return { text: await scheduledStatusText(ctx, id) };
  },
});
