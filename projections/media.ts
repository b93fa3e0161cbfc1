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
import { columns, deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';
import type { MediaType } from '#mastodon/media-limits.ts';

const INSERT = statement(
  'media_insert',
  `insert into media_attachments (id, account_id, state, created_at, unattached_since, type, file, preview, remote_url,
                                  meta, description, blurhash)
   select id, account_id, state, created_at, created_at, type, file, preview, remote_url, meta, description, blurhash
   from unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
               $8::text[], $9::text[], $10::text[], $11::text[])
     as n (id, account_id, state, created_at, type, file, preview, remote_url, meta, description, blurhash)`,
);
const PROCESSED = statement(
  'media_processed',
  `update media_attachments m
   set state = 'processed', type = n.type, file = n.file, preview = n.preview, meta = n.meta, blurhash = n.blurhash
   from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
     as n (id, type, file, preview, meta, blurhash)
   where m.id = n.id`,
);
const FAILED = statement(
  'media_failed',
  `update media_attachments m set state = 'failed', error = n.error
   from unnest($1::bigint[], $2::text[]) as n (id, error) where m.id = n.id`,
);
const UPDATE = statement(
  'media_update',
  `update media_attachments m
   set description = case when n.has_description then n.description else m.description end,
       preview = case when n.has_preview then n.preview else m.preview end,
       blurhash = case when n.has_blurhash then n.blurhash else m.blurhash end,
       meta = case when n.has_meta then n.meta else m.meta end
   from unnest($1::bigint[], $2::bool[], $3::text[], $4::bool[], $5::text[], $6::bool[], $7::text[], $8::bool[],
               $9::text[])
     as n (id, has_description, description, has_preview, preview, has_blurhash, blurhash, has_meta, meta)
   where m.id = n.id`,
);
const ATTACH = statement(
  'media_attach',
  `update media_attachments m set status_id = n.status_id, unattached_since = null
   from unnest($1::bigint[], $2::bigint[]) as n (id, status_id) where m.id = n.id`,
);
const DETACH = statement(
  'media_detach',
  `update media_attachments m set status_id = null, unattached_since = n.since
   from unnest($1::bigint[], $2::timestamptz[]) as n (id, since) where m.id = n.id`,
);
const SEAL = statement(
  'media_seal',
  `update media_attachments m set file = n.file, preview = n.preview, sealed_by = n.strike_id
   from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[]) as n (id, file, preview, strike_id) where m.id = n.id`,
);
const DELETE = statement('media_delete', 'delete from media_attachments where id = any($1)');

/** A row of `media_attachments`. Keys and `meta` (JSON) are as in events. */
export interface MediaAttachmentRow {
  id: string;
  account_id: string;
  state: 'processing' | 'processed' | 'failed';
  created_at: string;
  /** The time since which no status contains it; null while one does. */
  unattached_since: string | null;
  status_id: string | null;
  sealed_by: string | null;
  error: string | null;
  type: MediaType;
  file: string | null;
  preview: string | null;
  remote_url: string | null;
  meta: string | null;
  description: string | null;
  blurhash: string | null;
}

const keys = ({ data }: { data: { id: string } }): string[] => [data.id];
const json = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

/** Uploads: the owner's view before they are attached, and the unattached ones. */
export const mediaAttachments: Projection = {
  name: 'media',
  version: 3,
  group: MAIN,
  tables: {
    media_attachments: `
      id bigint primary key,
      account_id bigint not null,
      state text not null,
      created_at timestamptz not null,
      unattached_since timestamptz,
      status_id bigint,
      sealed_by bigint,
      error text,
      type text not null,
      file text,
      preview text,
      remote_url text,
      meta text,
      description text,
      blurhash text`,
  },
  handlerIndexes: ['create index media_attachments_account on media_attachments (account_id, id desc)'],
  indexes: [
    'create index media_attachments_unattached on media_attachments (unattached_since) where status_id is null',
  ],
  handlers: [
    on(MediaUploaded, {
      keys,
      apply: async (events, db) => {
        const rows = events.map(({ data }) => data);
        await db.query(INSERT, [
          rows.map(({ id }) => id),
          rows.map(({ account_id }) => account_id),
          rows.map(({ state }) => state),
          rows.map(({ created_at }) => created_at),
          rows.map(({ type }) => type),
          rows.map(({ file }) => file),
          rows.map(({ preview }) => preview),
          rows.map(({ remote_url }) => remote_url),
          rows.map(({ meta }) => json(meta)),
          rows.map(({ description }) => description),
          rows.map(({ blurhash }) => blurhash),
        ]);
      },
    }),
    on(MediaProcessed, {
      keys,
      apply: async (events, db) => {
        const rows = events.map(({ data }) => data);
        await db.query(PROCESSED, [
          rows.map(({ id }) => id),
          rows.map(({ type }) => type),
          rows.map(({ file }) => file),
          rows.map(({ preview }) => preview),
          rows.map(({ meta }) => json(meta)),
          rows.map(({ blurhash }) => blurhash),
        ]);
      },
    }),
    on(MediaProcessingFailed, {
      keys,
      apply: async (events, db) => {
        await db.query(FAILED, columns(events, 'id', 'error'));
      },
    }),
    on(MediaUpdated, {
      keys,
      apply: async (events, db) => {
        const rows = events.map(({ data }) => data);
        await db.query(UPDATE, [
          rows.map(({ id }) => id),
          rows.map(({ description }) => description !== undefined),
          rows.map(({ description }) => description ?? null),
          rows.map(({ preview }) => preview !== undefined),
          rows.map(({ preview }) => preview ?? null),
          rows.map(({ blurhash }) => blurhash !== undefined),
          rows.map(({ blurhash }) => blurhash ?? null),
          rows.map(({ meta }) => meta !== undefined),
          rows.map(({ meta }) => json(meta)),
        ]);
      },
    }),
    on(MediaAttached, {
      keys,
      apply: async (events, db) => {
        await db.query(ATTACH, columns(events, 'id', 'status_id'));
      },
    }),
    on(MediaDetached, {
      keys,
      apply: async (events, db) => {
        await db.query(DETACH, [...columns(events, 'id'), events.map(({ metadata }) => metadata.time)]);
      },
    }),
    on(MediaSealed, {
      keys,
      apply: async (events, db) => {
        await db.query(SEAL, columns(events, 'id', 'file', 'preview', 'strike_id'));
      },
    }),
    on(MediaDeleted, {
      keys,
      apply: async (events, db) => {
        await db.query(DELETE, [events.map(({ data }) => data.id)]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('media_attachments')),
  ],
};
