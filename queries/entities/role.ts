/** Permission bits as documented: https://docs.joinmastodon.org/entities/Role/#permission-flags */
const ADMINISTRATOR = 0x1;
const MODERATOR = 0x8 | 0x10 | 0x4 | 0x400 | 0x800; // audit log, reports, dashboard, users, taxonomies
const INVITE = 0x10000;

const ROLES: Record<string, { id: string; name: string; permissions: number }> = {
  Moderator: { id: '1', name: 'Moderator', permissions: MODERATOR | INVITE },
  Admin: { id: '2', name: 'Admin', permissions: MODERATOR | INVITE | 0x20 | 0x40 | 0x100 | 0x200 | 0x8000 },
  Owner: { id: '3', name: 'Owner', permissions: ADMINISTRATOR },
};
const EVERYONE = { id: '-99', name: '', permissions: INVITE };

/** https://docs.joinmastodon.org/entities/Role/ of a user; everyone's where there is none of their own. */
export function roleJson(role: string | null): string {
  const { id, name, permissions } = (role === null ? undefined : ROLES[role]) ?? EVERYONE;
  return JSON.stringify({
    id,
    name,
    color: '',
    permissions: String(permissions),
    highlighted: role !== null,
  });
}
