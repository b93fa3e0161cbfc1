import type { ValidationErrorReply } from '#mastodon/schemas/index.ts';
import type { Answer, Client, Town } from '../support/people.ts';

export type SignUpAnswer = Answer<ValidationErrorReply & { access_token: string }>;

/** Returns a function that signs up a user with a new name through an application. */
export async function signUps(
  town: Town,
): Promise<(email: string, client?: (token: string) => Client) => Promise<SignUpAnswer>> {
  const scopes = ['read', 'write'];
  const { json } = await town.nobody.post<{ id: string }>('/api/v1/apps', {
    client_name: 'signs people up',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: scopes.join(' '),
  });
  const { access_token } = await town.app.tokens.issue({ applicationId: json.id, scopes });
  let count = 0;
  return (email, client = town.withToken) =>
    client(access_token).post('/api/v1/accounts', {
      username: `person${(count += 1)}`,
      email,
      password: 'correct horse battery',
      agreement: true,
      locale: 'en',
    });
}
