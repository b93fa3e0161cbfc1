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
import {
  batch,
  bigint,
  boolean,
  table,
  tablesOf,
  text,
  textC,
  textOf,
  together,
} from '#kernel/table/index.ts';
import { isRemotePlace, remoteMediaDigest, type RemoteMediaKind } from '#mastodon/remote-media.ts';

const MEDIA = table(
  'remote_media',
  {
    digest: textC,
    kind: textOf<RemoteMediaKind>(),
    subject_id: bigint,
    account_id: bigint,
    url: text,
    attachment_id: bigint.orNull,
    described: boolean,
  },
  ['digest', 'kind', 'subject_id'],
);
const INSERT = batch(
  'remote_media_insert',
  MEDIA.columns,
  (rows) => `insert into remote_media (digest, kind, subject_id, account_id, url, attachment_id, described)
   select distinct on (digest, kind, subject_id) * from ${rows}
   order by digest, kind, subject_id, attachment_id
   on conflict (digest, kind, subject_id) do update
     set attachment_id = excluded.attachment_id, described = excluded.described`,
);
const DESCRIBE = batch(
  'remote_media_describe',
  { subject_id: bigint, attachment_id: bigint, whole: boolean },
  (rows) => `update remote_media m set described = true from ${rows}
   where m.subject_id = n.subject_id and m.attachment_id = n.attachment_id and (n.whole or m.kind = 'previews')`,
);
const FORGET_KINDS = MEDIA.remove('subject_id', 'kind');

interface Shown {
  kind: RemoteMediaKind;
  url: string;
  subject_id: string;
  account_id: string;
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
  tables: tablesOf(MEDIA),
  handlerIndexes: [
    'create index remote_media_subject on remote_media (subject_id)',
    'create index remote_media_account on remote_media (account_id)',
  ],
  indexes: [],
  handlers: [
    on(AccountCreated, {
      keys: byId,
      apply: INSERT.each(({ data }) => rowsOf(shownByProfile(data.id, data))),
    }),
    on(AccountUpdated, {
      keys: byId,
      apply: together(
        FORGET_KINDS.each(({ data }) => changedKinds(data).map((kind) => ({ subject_id: data.id, kind }))),
        INSERT.each(({ data }) => rowsOf(shownByProfile(data.id, data))),
      ),
    }),
    on(StatusCreated, { keys: byId, apply: INSERT.each(({ data }) => rowsOf(shownByStatus(data))) }),
    on(StatusEdited, { keys: byId, apply: INSERT.each(({ data }) => rowsOf(shownByStatus(data))) }),
    on(AttachmentDescribed, {
      keys: byId,
      apply: DESCRIBE.each(({ data }) => ({
        subject_id: data.id,
        attachment_id: data.attachment_id,
        whole: isWhole(data),
      })),
    }),
    on(PreviewCardAttached, {
      keys: byId,
      apply: together(
        FORGET_KINDS.each(({ data }) => ({ subject_id: data.id, kind: 'cards' as const })),
        INSERT.each(({ data: { id, account_id, card } }) =>
          isRemotePlace(card?.image)
            ? rowsOf([{ kind: 'cards', url: card.image, subject_id: id, account_id }])
            : [],
        ),
      ),
    }),
    on(StatusDeleted, {
      keys: byId,
      apply: MEDIA.remove('subject_id').each(({ data }) => ({ subject_id: data.id })),
    }),
    onAccounts(PersonalDataErased, deleteRowsOf(MEDIA)),
  ],
};

const isWhole = ({ blurhash, meta, media_type }: RecordedOf<typeof AttachmentDescribed>['data']): boolean =>
  meta.original !== undefined && (blurhash !== null || media_type === 'audio');

type Pictures = { [Key in 'avatar' | 'header' | 'emojis']?: Profile[Key] | undefined };

const changedKinds = ({ avatar, header, emojis }: Pictures): RemoteMediaKind[] => [
  ...(avatar === undefined ? [] : (['avatars'] as const)),
  ...(header === undefined ? [] : (['headers'] as const)),
  ...(emojis === undefined ? [] : (['emojis'] as const)),
];

function shownByProfile(id: string, { avatar, header, emojis = [] }: Pictures): Shown[] {
  const own = { subject_id: id, account_id: id };
  return [
    ...(isRemotePlace(avatar?.original) ? [{ kind: 'avatars' as const, url: avatar.original, ...own }] : []),
    ...(isRemotePlace(header?.original) ? [{ kind: 'headers' as const, url: header.original, ...own }] : []),
    ...emojis.map(({ url }) => ({ kind: 'emojis' as const, url, ...own })),
  ];
}

function shownByStatus({ id, account_id, local, media, emojis = [] }: StatusData): Shown[] {
  if (local) return [];
  const own = { subject_id: id, account_id };
  return [
    ...emojis.map(({ url }) => ({ kind: 'emojis' as const, url, ...own })),
    ...media.flatMap((attachment): Shown[] => {
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

const rowsOf = (shown: readonly Shown[]) =>
  shown.map(({ attachment, ...row }) => ({
    ...row,
    digest: remoteMediaDigest(row.url),
    attachment_id: attachment?.id,
    described: attachment === undefined || isDescribed(attachment),
  }));
