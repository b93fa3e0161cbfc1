import { createAccount } from '#commands/accounts/index.ts';
import { type Answer, ok, type Town } from '../support/people.ts';

/** Returns the entity of a reply, once the read models contain it. */
export async function settled<Json>(town: Town, answer: Promise<Answer<Json>>): Promise<Json> {
  const json = await ok(answer);
  await town.waitUntilIdle();
  return json;
}

/** Creates a sign-up that waits for staff. Returns the id of its account. */
export async function applicant(town: Town, username: string, reason = 'I like rooks'): Promise<string> {
  const id = await createAccount(town.app.systemContext('spec'), {
    username,
    email: `${username}@mail.example`,
    password: `correct horse ${username}`,
    locale: 'en',
    confirmed: true,
    approved: false,
    role: null,
    reason,
    applicationId: null,
    signUpIp: '192.0.2.7',
  });
  await town.waitUntilIdle();
  return id;
}
