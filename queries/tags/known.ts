import { type Db, statement } from '#kernel/read.ts';

const KNOWN = statement('tag_known', 'select from tags where tag = $1');

/** Returns true if the hashtag with this normal name has been used, in a post or otherwise. */
export const isKnownTag = async (db: Db, normal: string): Promise<boolean> =>
  (await db.query(KNOWN, [normal])).length > 0;
