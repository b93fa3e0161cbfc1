import { statement, type Db } from '../../src/kernel/read.ts';

const LOCALE = statement('translation_locale', 'select locale from users where account_id = $1');

/** The language that a user signed up in; undefined for nobody's account. */
export async function localeOf(db: Db, accountId: string): Promise<string | undefined> {
  const [row] = await db.query<{ locale: string }>(LOCALE, [accountId]);
  return row?.locale;
}
