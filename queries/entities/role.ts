import { MAX_COLLECTIONS } from '#mastodon/limits.ts';
import { roleOf } from '#mastodon/permissions.ts';

/**
 * Returns https://docs.joinmastodon.org/entities/Role/ of a user; the role of everyone when they have none.
 */
export function roleJson(role: string | null): string {
  const { id, name, permissions } = roleOf(role);
  return JSON.stringify({
    id,
    name,
    color: '',
    permissions: String(permissions),
    highlighted: role !== null,
    collection_limit: MAX_COLLECTIONS,
  });
}
