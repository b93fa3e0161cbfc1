import { expect } from 'chai';
import { holds } from '#mastodon/scopes.ts';
import type { Client, Person, Town } from './people.ts';

/**
 * Asserts that a request accepts a user's token with any one of the scopes `enough`, and no other token:
 * neither an application's, nor one of the user with all of the scopes `others`.
 */
export async function expectScope(
  town: Town,
  user: Person,
  send: (client: Client) => Promise<{ status: number }>,
  { enough, others }: { enough: readonly string[]; others: readonly string[] },
): Promise<void> {
  const forStaff = enough.some((scope) => scope.startsWith('admin:'));
  // Endpoints that accept `follow` accept a scope that `write` includes as well.
  const held = enough.some((scope) => scope === 'follow' || holds(['read', 'write'], scope));
  expect((await send(town.nobody)).status).to.equal(forStaff ? 403 : 401);
  expect((await send(await town.appOnly())).status).to.equal(held ? 422 : 403);
  expect((await send(await user.withScopes(...others))).status).to.equal(403);
  for (const scope of enough) expect((await send(await user.withScopes(scope))).status, scope).to.equal(200);
}
