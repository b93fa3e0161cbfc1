import { PersonalDataErased } from '#events/erasure.ts';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import {
  ScheduledStatusCancelled,
  ScheduledStatusMediaEdited,
  ScheduledStatusPublished,
  ScheduledStatusRescheduled,
  StatusScheduled,
} from '#events/scheduled-statuses.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { bigint, bigints, jsonText, type RowOf, table, tablesOf, timestamptz } from '#kernel/table/index.ts';

const STATUSES = table(
  'scheduled_statuses',
  {
    id: bigint,
    account_id: bigint,
    application_id: bigint.orNull,
    scheduled_at: timestamptz,
    /** `ScheduledParams` */
    params: jsonText<object>(),
    media_ids: bigints,
  },
  ['id'],
);

export type ScheduledStatusRow = RowOf<typeof STATUSES>;

const keys = ({ data }: { data: { id: string } }): string[] => [data.id];
const idsOf = (media: readonly MediaAttachmentData[]): string[] => media.map(({ id }) => id);

/** Scheduled posts. Published and cancelled ones are removed. */
export const scheduledStatuses: Projection = {
  name: 'scheduled-statuses',
  version: 4,
  group: MAIN,
  tables: tablesOf(STATUSES),
  handlerIndexes: ['create index scheduled_statuses_account_id on scheduled_statuses (account_id, id)'],
  indexes: ['create index scheduled_statuses_scheduled_at on scheduled_statuses (scheduled_at)'],
  handlers: [
    on(StatusScheduled, {
      keys,
      apply: STATUSES.insert().each(({ data }) => ({ ...data, media_ids: idsOf(data.media) })),
    }),
    on(ScheduledStatusRescheduled, { keys, apply: STATUSES.set('scheduled_at').each(({ data }) => data) }),
    on(ScheduledStatusMediaEdited, {
      keys,
      apply: STATUSES.set('media_ids').each(({ data: { id, media } }) => ({ id, media_ids: idsOf(media) })),
    }),
    on(ScheduledStatusCancelled, { keys, apply: STATUSES.remove().each(({ data }) => data) }),
    on(ScheduledStatusPublished, { keys, apply: STATUSES.remove().each(({ data }) => data) }),
    onAccounts(PersonalDataErased, deleteRowsOf(STATUSES)),
  ],
};
