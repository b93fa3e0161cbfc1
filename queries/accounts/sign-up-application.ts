import { statement, type Db } from '../../src/kernel/read.ts';

const APPLICATION = statement(
  'sign_up_application',
  'select redirect_uris, scopes from applications where id = $1',
);

/** What of an application matters to those who sign up with it. */
export interface SignUpApplication {
  scopes: string[];
  /** Where its pages are: the first redirect URI that a browser can open. */
  page: string | undefined;
}

/** Undefined when there is no such application. */
export async function signUpApplication(db: Db, id: string): Promise<SignUpApplication | undefined> {
  const [row] = await db.query<{ redirect_uris: string; scopes: string }>(APPLICATION, [id]);
  return (
    row && {
      scopes: row.scopes.split(' ').filter(Boolean),
      page: row.redirect_uris.split('\n').find((uri) => /^https?:\/\//i.test(uri) && URL.canParse(uri)),
    }
  );
}
