import { AccountCreated, AccountUpdated, type Profile } from '#events/accounts.ts';
import { PersonalDataErased } from '#events/erasure.ts';
import { hasOwnPreview, isDescribed, type MediaAttachmentData } from '#events/media-attachment.ts';
import {
  AttachmentDescribed,
  PreviewCardAttached,
  StatusCreated,
  type StatusData,
  StatusDeleted,
  StatusEdited,
} from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import { deleteRowsOf, MAIN, on, onAccounts, type Projection } from '#kernel/projection.ts';
import { type Db, statement } from '#kernel/read.ts';
import { isRemotePlace, remoteMediaDigest, type RemoteMediaKind } from '#mastodon/remote-media.ts';

const INSERT = statement(
  'remote_media_insert',
  `insert into remote_media (digest, kind, subject_id, account_id, url, attachment_id, described)
   select distinct on (digest, kind, subject_id) * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[],
     $5::text[], $6::bigint[], $7::bool[])
     as n (digest, kind, subject_id, account_id, url, attachment_id, described)
   order by digest, kind, subject_id, attachment_id
   on conflict (digest, kind, subject_id) do update
     set attachment_id = excluded.attachment_id, described = excluded.described`,
);
const FORGET = statement(
  'remote_media_forget',
  'delete from remote_media where subject_id = any($1::bigint[])',
);
const FORGET_KINDS = statement(
  'remote_media_forget_kinds',
  `delete from remote_media m using unnest($1::bigint[], $2::text[]) as n (subject_id, kind)
   where m.subject_id = n.subject_id and m.kind = n.kind`,
);
const DESCRIBE = statement(
  'remote_media_describe',
  `update remote_media m set described = true
   from unnest($1::bigint[], $2::bigint[], $3::bool[]) as n (subject_id, attachment_id, whole)
   where m.subject_id = n.subject_id and m.attachment_id = n.attachment_id and (n.whole or m.kind = 'previews')`,
);

interface Row {
  kind: RemoteMediaKind;
  url: string;
  subjectId: string;
  accountId: string;
  attachment?: MediaAttachmentData;
}

const byId = ({ data }: { data: { id: string } }): string[] => [data.id];

/**
 * The remote files that accounts and posts show: the addresses behind `/media_proxy/`, which serves no
 * others. An edited post keeps its earlier files, because its history shows them.
 */
export const remoteMedia: Projection = {
  name: 'remote-media',
  version: 2,
  group: MAIN,
  tables: {
    remote_media: `
      digest text collate "C",
      kind text,
      subject_id bigint,
      account_id bigint not null,
      url text not null,
      attachment_id bigint,
      described boolean not null,
      primary key (digest, kind, subject_id)`,
  },
  handlerIndexes: [
    'create index remote_media_subject on remote_media (subject_id)',
    'create index remote_media_account on remote_media (account_id)',
  ],
  indexes: [],
  handlers: [
    on(AccountCreated, {
      keys: byId,
      apply: (events, db) =>
        insert(
          events.flatMap(({ data }) => rowsOfProfile(data.id, data)),
          db,
        ),
    }),
    on(AccountUpdated, {
      keys: byId,
      apply: async (events, db) => {
        const changed = events.flatMap(({ data }) =>
          changedKinds(data).map((kind) => ({ id: data.id, kind })),
        );
        if (changed.length === 0) return;
        await db.query(FORGET_KINDS, [changed.map(({ id }) => id), changed.map(({ kind }) => kind)]);
        await insert(
          events.flatMap(({ data }) => rowsOfProfile(data.id, data)),
          db,
        );
      },
    }),
    on(StatusCreated, {
      keys: byId,
      apply: (events, db) =>
        insert(
          events.flatMap(({ data }) => rowsOfStatus(data)),
          db,
        ),
    }),
    on(StatusEdited, {
      keys: byId,
      apply: (events, db) =>
        insert(
          events.flatMap(({ data }) => rowsOfStatus(data)),
          db,
        ),
    }),
    on(AttachmentDescribed, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(DESCRIBE, [
          events.map(({ data }) => data.id),
          events.map(({ data }) => data.attachment_id),
          events.map(({ data }) => isWhole(data)),
        ]);
      },
    }),
    on(PreviewCardAttached, {
      keys: byId,
      apply: async (events, db) => {
        const ids = events.map(({ data }) => data.id);
        await db.query(FORGET_KINDS, [ids, ids.map(() => 'cards')]);
        const rows = events.flatMap(({ data: { id, account_id, card } }): Row[] =>
          isRemotePlace(card?.image)
            ? [{ kind: 'cards', url: card.image, subjectId: id, accountId: account_id }]
            : [],
        );
        await insert(rows, db);
      },
    }),
    on(StatusDeleted, {
      keys: byId,
      apply: async (events, db) => {
        await db.query(FORGET, [events.map(({ data }) => data.id)]);
      },
    }),
    onAccounts(PersonalDataErased, deleteRowsOf('remote_media')),
  ],
};

const isWhole = ({ blurhash, meta, media_type }: RecordedOf<typeof AttachmentDescribed>['data']): boolean =>
  meta.original !== undefined && (blurhash !== null || media_type === 'audio');

type Shown = { [Key in 'avatar' | 'header' | 'emojis']?: Profile[Key] | undefined };

const changedKinds = ({ avatar, header, emojis }: Shown): RemoteMediaKind[] => [
  ...(avatar === undefined ? [] : (['avatars'] as const)),
  ...(header === undefined ? [] : (['headers'] as const)),
  ...(emojis === undefined ? [] : (['emojis'] as const)),
];

function rowsOfProfile(id: string, { avatar, header, emojis = [] }: Shown): Row[] {
  const own = { subjectId: id, accountId: id };
  return [
    ...(isRemotePlace(avatar?.original) ? [{ kind: 'avatars' as const, url: avatar.original, ...own }] : []),
    ...(isRemotePlace(header?.original) ? [{ kind: 'headers' as const, url: header.original, ...own }] : []),
    ...emojis.map(({ url }) => ({ kind: 'emojis' as const, url, ...own })),
  ];
}

function rowsOfStatus({ id, account_id, local, media, emojis = [] }: StatusData): Row[] {
  if (local) return [];
  const own = { subjectId: id, accountId: account_id };
  return [
    ...emojis.map(({ url }) => ({ kind: 'emojis' as const, url, ...own })),
    ...media.flatMap((attachment): Row[] => {
      const { file, preview } = attachment;
      return [
        ...(isRemotePlace(file) ? [{ kind: 'attachments' as const, url: file, attachment, ...own }] : []),
        ...(isRemotePlace(preview) && !hasOwnPreview(attachment)
          ? [{ kind: 'previews' as const, url: preview, attachment, ...own }]
          : []),
      ];
    }),
  ];
}

async function insert(rows: readonly Row[], db: Db): Promise<void> {
  if (rows.length === 0) return;
  await db.query(INSERT, [
    rows.map(({ url }) => remoteMediaDigest(url)),
    rows.map(({ kind }) => kind),
    rows.map(({ subjectId }) => subjectId),
    rows.map(({ accountId }) => accountId),
    rows.map(({ url }) => url),
    rows.map(({ attachment }) => attachment?.id ?? null),
    rows.map(({ attachment }) => attachment === undefined || isDescribed(attachment)),
  ]);
}
