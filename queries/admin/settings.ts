import { type InstanceSettings, NEW_SERVER_SETTINGS } from '#events/instance.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import type { Instance } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminSettings, adminSettingsSchema } from '#mastodon/schemas/index.ts';
import { instanceSettings, thumbnailUrl } from '../instance/index.ts';

const USERNAME = statement<{ username: string }>(
  'settings_contact',
  'select username from accounts where id = $1',
);

/** Returns all settings of this server. */
export async function adminSettings({
  db,
  instance,
}: {
  db: Db;
  instance: Instance;
}): Promise<AdminSettings> {
  const settings = await instanceSettings(db);
  const { contact_account_id: contact, extended_description, privacy_policy, icon, ...plain } = settings;
  const [account] = contact === null ? [] : await db.query(USERNAME, [contact]);
  const largest = icon.toSorted((one, other) => other.size - one.size)[0];
  return {
    ...plain,
    extended_description: extended_description?.content ?? '',
    privacy_policy: privacy_policy?.content ?? '',
    contact_account: account?.username ?? '',
    status_page_url: settings.status_page_url ?? '',
    thumbnail: settings.thumbnail && thumbnailUrl(settings, instance),
    icon: largest ? `${instance.mediaOrigin}/${largest.key}` : null,
    changed: changedNames(settings),
  };
}

const changedNames = (settings: InstanceSettings): string[] =>
  Object.keys(changedFields(NEW_SERVER_SETTINGS, settings) ?? {}).map((name) =>
    name === 'contact_account_id' ? 'contact_account' : name,
  );

export const showSettings = endpoint({
  method: 'GET',
  path: '/api/v1/admin/settings',
  summary: 'View the settings of this server',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'manage_settings',
  reply: adminSettingsSchema,
  handler: async (ctx) => ({ json: await adminSettings(ctx) }),
});

export const adminSettingsQueries = [showSettings];
