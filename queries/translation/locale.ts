import { type Db, statement } from '#kernel/read.ts';

const LOCALE = statement<{ locale: string }>(
  'translation_locale',
  'select locale from users where account_id = $1',
);

/** Returns the language in which a user signed up; undefined for other accounts. */
export async function localeOf(db: Db, accountId: string): Promise<string | undefined> {
  const [row] = await db.query(LOCALE, [accountId]);
  return row?.locale;
}
