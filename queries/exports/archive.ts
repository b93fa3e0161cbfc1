import { eachAbove } from '#kernel/batches.ts';
import type { Id } from '#kernel/ids.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type LocalPost, ownPostsAbove } from '../federation/index.ts';

/** Posts per statement. */
const POSTS = 100;
const URIS = 1_000;

/** Yields all posts and reblogs of an account at any visibility, oldest first. */
export const archivedPosts = (db: Db, accountId: Id): AsyncGenerator<LocalPost> =>
  eachAbove((after, limit) => ownPostsAbove(db, accountId, after, limit), POSTS);

const marked = (name: string, mark: string) =>
  statement<{ id: Id; uri: string }>(
    name,
    `select i.${mark} as id, s.uri from interactions i join statuses s on s.id = i.status_id
     where i.account_id = $1 and i.${mark} > $2 and not s.deleted order by i.${mark} limit $3`,
  );
const MARKED = {
  likes: marked('archive_likes', 'favourite_id'),
  bookmarks: marked('archive_bookmarks', 'bookmark_id'),
};

/** Yields the posts that an account has favourited or bookmarked, oldest mark first. */
export async function* markedUris(db: Db, accountId: Id, mark: keyof typeof MARKED): AsyncGenerator<string> {
  const marks = eachAbove((after, limit) => db.query(MARKED[mark], [accountId, after, limit]), URIS);
  for await (const { uri } of marks) yield uri;
}

export interface ArchivedMedia {
  id: Id;
  /** Its key in the media store. */
  file: string;
}

const MEDIA = statement<ArchivedMedia>(
  'archive_media',
  `select m.id, m.file from media_attachments m join statuses s on s.id = m.status_id
   where m.account_id = $1 and m.id > $2 and m.file is not null and not s.deleted order by m.id limit $3`,
);

/** Yields the files of an account's posts. */
export const archivedMedia = (db: Db, accountId: Id): AsyncGenerator<ArchivedMedia> =>
  eachAbove((after, limit) => db.query(MEDIA, [accountId, after, limit]), URIS);
