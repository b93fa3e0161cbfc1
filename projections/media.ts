import { PersonalDataErased } from '#events/erasure.ts';
import {
  MediaAttached,
  MediaDeleted,
  MediaDetached,
  MediaProcessed,
  MediaProcessingFailed,
  MediaSealed,
  MediaUpdated,
  MediaUploaded,
} from '#events/media.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import {
  bigint,
  jsonText,
  type RowOf,
  table,
  tablesOf,
  text,
  textOf,
  timestamptz,
} from '#kernel/table/index.ts';
import type { MediaType } from '#mastodon/media-limits.ts';

const MEDIA = table(
  'media_attachments',
  {
    id: bigint,
    account_id: bigint,
    state: textOf<'processing' | 'processed' | 'failed'>(),
    created_at: timestamptz,
    /** The time since which no status contains it; null while one does. */
    unattached_since: timestamptz.orNull,
    status_id: bigint.nullAtFirst,
    sealed_by: bigint.nullAtFirst,
    error: text.nullAtFirst,
    type: textOf<MediaType>(),
    // Keys and `meta` are as in events.
    file: text.orNull,
    preview: text.orNull,
    remote_url: text.orNull,
    meta: jsonText<object>().orNull,
    description: text.orNull,
    blurhash: text.orNull,
  },
  ['id'],
);

export type MediaAttachmentRow = RowOf<typeof MEDIA>;

const keys = ({ data }: { data: { id: string } }): string[] => [data.id];

/** Uploads: the owner's view before they are attached, and the unattached ones. */
export const mediaAttachments: Projection = {
  name: 'media',
  version: 3,
  group: MAIN,
  tables: tablesOf(MEDIA),
  handlerIndexes: ['create index media_attachments_account on media_attachments (account_id, id desc)'],
  indexes: [
    'create index media_attachments_unattached on media_attachments (unattached_since) where status_id is null',
  ],
  handlers: [
    on(MediaUploaded, {
      keys,
      apply: MEDIA.insert().each(({ data }) => ({ ...data, unattached_since: data.created_at })),
    }),
    on(MediaProcessed, {
      keys,
      apply: MEDIA.set('state', 'type', 'file', 'preview', 'meta', 'blurhash').each(({ data }) => ({
        ...data,
        state: 'processed' as const,
      })),
    }),
    on(MediaProcessingFailed, {
      keys,
      apply: MEDIA.set('state', 'error').each(({ data }) => ({ ...data, state: 'failed' as const })),
    }),
    on(MediaUpdated, {
      keys,
      apply: MEDIA.patch('description', 'preview', 'blurhash', 'meta').each(({ data }) => data),
    }),
    on(MediaAttached, {
      keys,
      apply: MEDIA.set('status_id', 'unattached_since').each(({ data }) => ({
        ...data,
        unattached_since: null,
      })),
    }),
    on(MediaDetached, {
      keys,
      apply: MEDIA.set('status_id', 'unattached_since').each(({ data: { id }, metadata: { time } }) => ({
        id,
        status_id: null,
        unattached_since: time,
      })),
    }),
    on(MediaSealed, {
      keys,
      apply: MEDIA.set('file', 'preview', 'sealed_by').each(({ data }) => ({
        ...data,
        sealed_by: data.strike_id,
      })),
    }),
    on(MediaDeleted, { keys, apply: MEDIA.remove().each(({ data }) => data) }),
    onAccounts(PersonalDataErased, deleteRowsOf(MEDIA)),
  ],
};
