import { type Client, ok, type Person, type Town } from '../support/people.ts';
import type { Sample } from './answers.ts';

/** Returns a client of the person with a token of an app registered under this name. */
export async function inApp(town: Town, person: Person, name: string): Promise<Client> {
  const { id } = await ok(
    town.nobody.post<{ id: string }>('/api/v1/apps', {
      client_name: name,
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      scopes: 'read write follow',
    }),
  );
  const issued = await town.app.tokens.issue({
    applicationId: id,
    accountId: person.id,
    scopes: ['read', 'write', 'follow'],
  });
  await town.waitUntilIdle();
  return town.withToken(issued.access_token);
}

/** Returns every reply with a relationship as an app registered under this name gets it. */
export async function relationshipsFor(town: Town, name: string): Promise<Sample[]> {
  const reader = await town.person(`reader${name.length}`);
  const other = await town.person(`other${name.length}`);
  const app = await inApp(town, reader, name);
  const samples: Sample[] = [];
  for (const act of ['follow', 'unfollow', 'mute', 'unmute', 'block', 'unblock', 'note']) {
    const path = `/api/v1/accounts/${other.id}/${act}`;
    samples.push({ asked: `POST ${path}`, reply: await ok(app.post(path)) });
  }
  await ok(other.post(`/api/v1/accounts/${reader.id}/follow`));
  for (const act of ['authorize', 'reject']) {
    await ok(reader.patch('/api/v1/accounts/update_credentials', { locked: true }));
    await ok(other.post(`/api/v1/accounts/${reader.id}/unfollow`));
    await ok(other.post(`/api/v1/accounts/${reader.id}/follow`));
    const path = `/api/v1/follow_requests/${other.id}/${act}`;
    samples.push({ asked: `POST ${path}`, reply: await ok(app.post(path)) });
  }
  const path = `/api/v1/accounts/relationships?id[]=${other.id}`;
  const list = await ok(app.get<unknown[]>(path));
  samples.push(...list.map((reply) => ({ asked: `GET ${path}`, reply })));
  return samples;
}
