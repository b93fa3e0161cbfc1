import { createAnnouncement } from '#commands/announcements/index.ts';
import type { UserRole } from '#events/accounts.ts';
import type { TestServer, TestUser } from '../server.ts';
import { picture, uploadForm } from '../uploads.ts';
import type { Things } from './things.ts';

const SCOPES = ['read', 'write', 'follow', 'push', 'profile', 'crypto', 'admin:read', 'admin:write'];

/** A user with a token of all scopes. */
export const actor = (server: TestServer, username: string, role?: UserRole): Promise<TestUser> =>
  server.user(username, { ...(role ? { role } : {}), scopes: SCOPES });

/** Creates an account for moderation requests, and one of everything that has an id, for every user. */
export async function furnish(
  server: TestServer,
  things: Things,
  { owner, people }: { owner: TestUser; people: readonly TestUser[] },
): Promise<void> {
  const victim = await actor(server, 'victim');
  things.add('accounts', victim.id);
  const make = async (by: TestUser, path: string, body: object, kind?: string): Promise<string> => {
    const answer = await server.call('POST', path, { token: by.token, body });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    const found = answer.body as { id?: string; collection?: { id: string }; poll?: { id: string } | null };
    const id = found.id ?? found.collection?.id;
    if (id === undefined) throw new Error(`${path} gives no id`);
    things.add(kind ?? path.split('/').at(-1) ?? '', id);
    if (found.poll) things.add('polls', found.poll.id);
    return id;
  };
  const status = await make(victim, '/api/v1/statuses', { status: 'rooks #rooks' });
  const poll = { options: ['a', 'b'], expires_in: 3_600 };
  await make(victim, '/api/v1/statuses', { status: 'which?', poll });
  await make(owner, '/api/v1/reports', { account_id: victim.id, status_ids: [status] });
  await make(owner, '/api/v1/admin/ip_blocks', { ip: '198.51.100.7', severity: 'sign_up_block' });
  await make(owner, '/api/v1/admin/domain_blocks', { domain: 'blocked.example' });
  await make(owner, '/api/v1/admin/domain_allows', { domain: 'allowed.example' });
  await make(owner, '/api/v1/admin/relays', { inbox_url: 'https://relay.example/inbox' });
  await make(owner, '/api/v1/admin/email_domain_blocks', { domain: 'mail.example' });
  await make(owner, '/api/v1/admin/canonical_email_blocks', { email: 'troll@example.org' });
  await make(owner, '/api/v1/admin/rules', { text: 'Be kind' });
  const emoji = new FormData();
  emoji.set('shortcode', 'rook');
  emoji.set('image', new Blob([new Uint8Array(await picture(20, 20, 'png'))]), 'rook.png');
  await make(owner, '/api/v1/admin/custom_emojis', emoji);
  const announcement = await createAnnouncement(server.app.systemContext('spec'), {
    text: 'We move',
    starts_at: null,
    ends_at: null,
    all_day: false,
    scheduled_at: null,
  });
  things.add('announcements', announcement);
  for (const by of [victim, owner, ...people]) {
    await make(by, '/api/v1/statuses', { status: 'mine #rooks' });
    if (by !== victim) await make(victim, `/api/v1/accounts/${by.id}/follow`, {}, 'accounts');
    await make(victim, '/api/v1/statuses', { status: `@${by.username} hello`, visibility: 'direct' });
    await make(by, '/api/v1/lists', { title: 'Friends' });
    const filter = await make(by, '/api/v2/filters', { title: 'x', context: ['home'] });
    await make(by, `/api/v2/filters/${filter}/keywords`, { keyword: 'spoiler' });
    await make(by, `/api/v2/filters/${filter}/statuses`, { status_id: status }, 'filter_statuses');
    await make(by, '/api/v1/featured_tags', { name: 'rooks' });
    const collection = await make(by, '/api/v1/collections', { name: 'Birds' });
    things.add('collection_id', collection);
    things.add('filter_id', filter);
    const later = { status: 'later', scheduled_at: '2035-01-01T00:00:00Z' };
    await make(by, '/api/v1/statuses', later, 'scheduled_statuses');
    const form = uploadForm(await picture(20, 20));
    const media = await server.call('POST', '/api/v2/media', { token: by.token, body: form });
    things.add('media', (media.body as { id: string }).id);
    await server.waitUntilIdle();
    for (const kind of ['notifications', 'conversations']) {
      const { body } = await server.call('GET', `/api/v1/${kind}`, { token: by.token });
      for (const { id } of body as { id: string }[]) things.add(kind, id);
    }
  }
}
