/**
 * Permissions of roles, with their bits: https://docs.joinmastodon.org/entities/Role/#permission-flags;
 * Mastodon 4.6 added the last three.
 */
const PERMISSIONS = {
  administrator: 0x1,
  view_devops: 0x2,
  view_audit_log: 0x4,
  view_dashboard: 0x8,
  manage_reports: 0x10,
  manage_federation: 0x20,
  manage_settings: 0x40,
  manage_blocks: 0x80,
  manage_taxonomies: 0x100,
  manage_appeals: 0x200,
  manage_users: 0x400,
  manage_invites: 0x800,
  manage_rules: 0x1000,
  manage_announcements: 0x2000,
  manage_custom_emojis: 0x4000,
  manage_webhooks: 0x8000,
  invite_users: 0x10000,
  manage_roles: 0x20000,
  manage_user_access: 0x40000,
  delete_user_data: 0x80000,
  view_feeds: 0x100000,
  invite_bypass_approval: 0x200000,
  manage_email_subscriptions: 0x400000,
} as const;
export type Permission = keyof typeof PERMISSIONS;

export interface Role {
  id: string;
  name: string;
  /** Bits of `PERMISSIONS`. */
  permissions: number;
}

const bits = (...names: readonly Permission[]): number =>
  names.reduce((all, each) => all | PERMISSIONS[each], 0);

const MODERATOR = bits(
  'view_audit_log',
  'view_dashboard',
  'view_feeds',
  'manage_reports',
  'manage_taxonomies',
  'manage_users',
  'invite_users',
);
/** An administrator has every permission, which Mastodon reports. */
const ALL = bits(...(Object.keys(PERMISSIONS) as Permission[]));
/** Every permission but those of the owner alone. */
const ADMIN =
  ALL & ~bits('administrator', 'view_devops', 'invite_bypass_approval', 'manage_email_subscriptions');

/** The permissions of a user without a role. */
const EVERYONE: Role = { id: '-99', name: '', permissions: PERMISSIONS.invite_users };
const ROLES: Readonly<Record<string, Role>> = {
  Moderator: { id: '1', name: 'Moderator', permissions: MODERATOR },
  Admin: { id: '2', name: 'Admin', permissions: ADMIN },
  Owner: { id: '3', name: 'Owner', permissions: ALL },
};

const NAMED: readonly (readonly [string, Role])[] = [['', EVERYONE], ...Object.entries(ROLES)];

/** Returns the role of that name, or the default role. */
export const roleOf = (name: string | null): Role => (name === null ? undefined : ROLES[name]) ?? EVERYONE;

/** Tells whether a role has a permission. An administrator has all of them. */
export const mayDo = (role: string | null, permission: Permission): boolean =>
  (roleOf(role).permissions & (PERMISSIONS.administrator | PERMISSIONS[permission])) !== 0;

/** Returns the names of the roles with a permission; the empty name is the default role. */
export const rolesThatMay = (permission: Permission): string[] =>
  NAMED.filter(([name]) => mayDo(name || null, permission)).map(([name]) => name);

/** Returns the names of the roles with these ids in the same form; unknown ids are skipped. */
export const rolesOf = (ids: readonly string[]): string[] =>
  NAMED.filter(([, { id }]) => ids.includes(id)).map(([name]) => name);

/** Returns every role, that of everyone first, then from the lowest to the highest. */
export const allRoles = (): readonly Role[] => NAMED.map(([, role]) => role);

/** Returns the names of the permissions of a role; an administrator has all of them. */
export const permissionsOf = (role: string | null): Permission[] =>
  (Object.keys(PERMISSIONS) as Permission[]).filter((permission) => mayDo(role, permission));

/** Returns the rank of a role: 0 for users without one, the owner's is the highest. */
export const rankOf = (role: string | null): number => Math.max(0, Number(roleOf(role).id));

/** Tells whether a member of staff ranks above an account, as acting against it demands. */
export const outranks = (role: string | null, other: string | null): boolean => rankOf(role) > rankOf(other);
