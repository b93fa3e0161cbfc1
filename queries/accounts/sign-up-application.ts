import { type Db, statement } from '#kernel/read.ts';

const APPLICATION = statement<{ redirect_uris: string; scopes: string }>(
  'sign_up_application',
  'select redirect_uris, scopes from applications where id = $1',
);

/** The properties of an application that its sign-ups need. */
export interface SignUpApplication {
  scopes: string[];
  /** The first redirect URI that opens a page or the app. */
  returnUri: string | undefined;
}

/** Returns undefined for an unknown application. */
export async function signUpApplication(db: Db, id: string): Promise<SignUpApplication | undefined> {
  const [row] = await db.query(APPLICATION, [id]);
  return (
    row && {
      scopes: row.scopes.split(' ').filter(Boolean),
      returnUri: row.redirect_uris.split('\n').find((uri) => !/^urn:/i.test(uri) && URL.canParse(uri)),
    }
  );
}
