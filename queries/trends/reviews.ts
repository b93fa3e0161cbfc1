import { statement, type Db } from '../../src/kernel/read.ts';

const UNREVIEWED = statement(
  'tags_unreviewed',
  `select n.tag, coalesce(t.display_name, n.tag) as name from unnest($1::text[]) as n (tag)
   left join tags t on t.tag = n.tag where not exists (select from tag_reviews r where r.tag = n.tag)`,
);

/** Of these hashtags, those that staff was not asked about yet, as they are spelled. */
export const unreviewedTags = (db: Db, tags: readonly string[]): Promise<{ tag: string; name: string }[]> =>
  db.query(UNREVIEWED, [tags]);
