import { statement, type Db } from '../../src/kernel/read.ts';

const KNOWN = statement('tag_known', 'select from tags where tag = $1');

/** Whether the hashtag of that normal name has been used, in a post or otherwise. */
export const isKnownTag = async (db: Db, normal: string): Promise<boolean> =>
  (await db.query(KNOWN, [normal])).length > 0;
