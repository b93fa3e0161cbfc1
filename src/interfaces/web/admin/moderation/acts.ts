import type { IconName } from '#interfaces/web/design/icons.ts';
import { mayDo, type Permission } from '#mastodon/permissions.ts';
import type { AdminAccount } from '#mastodon/schemas/index.ts';
import type { StrikeAction } from './words.ts';

/** An action of staff against an account or its posts, in the words of Mastodon's interface. */
export type Sanction = SanctionWords & (AccountSanction | PostSanction);

/** `type` is the name in its address and in the API. */
interface AccountSanction {
  type: 'none' | 'sensitive' | 'disable' | 'silence' | 'suspend';
  onPosts?: undefined;
}

interface PostSanction {
  type: 'delete' | 'mark_as_sensitive';
  /** Posts are needed. */
  onPosts: true;
}

interface SanctionWords {
  /** On its link. */
  label: string;
  icon: IconName;
  /** Presses its link on the page of a report. */
  key: string;
  /** Says what happens, one sentence each; `name` is the handle. */
  does: (name: string) => string[];
  /** The strike that the user reads about. */
  strike: StrikeAction;
  /** Only for users of this server. */
  localOnly?: true;
  /** Whether an account is under it already. */
  inForce?: (account: AdminAccount) => boolean;
  danger?: true;
}

export const SANCTIONS: readonly Sanction[] = [
  {
    type: 'none',
    label: 'Warn',
    icon: 'mail',
    key: 'w',
    strike: 'none',
    does: (name) => [`${name} gets a warning, and can appeal against it. Nothing else changes.`],
  },
  {
    type: 'mark_as_sensitive',
    label: 'Mark posts as sensitive',
    icon: 'eye-off',
    key: 'm',
    strike: 'mark_statuses_as_sensitive',
    onPosts: true,
    does: () => ['The reported posts hide their media behind a warning. Their author cannot undo this.'],
  },
  {
    type: 'delete',
    label: 'Delete posts',
    icon: 'trash-2',
    key: 'd',
    strike: 'delete_statuses',
    onPosts: true,
    danger: true,
    does: () => [
      'The reported posts are deleted, here and on servers that know them. This cannot be undone.',
      'They stay in the report as evidence.',
    ],
  },
  {
    type: 'sensitive',
    label: 'Mark account as sensitive',
    icon: 'image',
    key: 'e',
    strike: 'sensitive',
    inForce: ({ sensitized }) => sensitized,
    does: (name) => [`All media of ${name} are hidden behind a warning, until this is lifted.`],
  },
  {
    type: 'disable',
    label: 'Freeze',
    icon: 'lock',
    key: 'f',
    strike: 'disable',
    inForce: ({ disabled }) => disabled,
    localOnly: true,
    does: (name) => [
      `${name} can no longer use the account, and is signed out everywhere.`,
      'The profile and the posts stay as they are.',
    ],
  },
  {
    type: 'silence',
    label: 'Limit',
    icon: 'volume-x',
    key: 'l',
    strike: 'silence',
    inForce: ({ silenced }) => silenced,
    does: (name) => [`Only followers of ${name} see the posts, unless others look for them.`],
  },
  {
    type: 'suspend',
    label: 'Suspend',
    icon: 'ban',
    key: 's',
    strike: 'suspend',
    inForce: ({ suspended }) => suspended,
    danger: true,
    does: (name) => [
      `The profile and all posts of ${name} disappear, and the account cannot be used.`,
      'This can be lifted, but follow relationships with other servers may be lost.',
    ],
  },
];

/** A decision that lifts an action, or ends an account. */
export interface Lifting {
  type: 'approve' | 'reject' | 'enable' | 'unsensitive' | 'unsilence' | 'unsuspend' | 'delete_data';
  label: string;
  icon: IconName;
  does: (name: string) => string[];
  /** Whether it applies to an account now. */
  applies: (account: AdminAccount) => boolean;
  permission?: Permission;
  danger?: true;
}

export const LIFTINGS: readonly Lifting[] = [
  {
    type: 'approve',
    label: 'Approve sign-up',
    icon: 'user-check',
    does: (name) => [`${name} can use the account, and gets a mail that says so.`],
    applies: ({ approved }) => !approved,
  },
  {
    type: 'reject',
    label: 'Reject sign-up',
    icon: 'user-x',
    danger: true,
    does: (name) => [`The account of ${name} is removed. The name and the address become free again.`],
    applies: ({ approved }) => !approved,
  },
  {
    type: 'enable',
    label: 'Unfreeze',
    icon: 'lock',
    does: (name) => [`${name} can sign in and use the account again.`],
    applies: ({ disabled }) => disabled,
  },
  {
    type: 'unsensitive',
    label: 'Undo mark as sensitive',
    icon: 'image',
    does: (name) => [`Media of ${name} are hidden only where the author says so.`],
    applies: ({ sensitized }) => sensitized,
  },
  {
    type: 'unsilence',
    label: 'Undo limit',
    icon: 'volume-x',
    does: (name) => [`The posts of ${name} reach people who do not follow the account again.`],
    applies: ({ silenced }) => silenced,
  },
  {
    type: 'unsuspend',
    label: 'Undo suspension',
    icon: 'refresh-cw',
    does: (name) => [`The profile and the posts of ${name} are back, and the account can be used.`],
    applies: ({ suspended }) => suspended,
  },
  {
    type: 'delete_data',
    label: 'Delete data',
    icon: 'trash-2',
    danger: true,
    permission: 'delete_user_data',
    does: (name) => [
      `All data of ${name} is erased for good: the profile, the posts, the files, the address.`,
      'Backups and the event log keep only what nobody can read. This cannot be undone.',
    ],
    applies: ({ suspended }) => suspended,
  },
];

/** Returns the sanctions that make sense against an account, with or without posts to act on. */
export const sanctionsFor = ({ domain }: Pick<AdminAccount, 'domain'>, posts: number): Sanction[] =>
  SANCTIONS.filter(({ onPosts, localOnly }) => (!onPosts || posts > 0) && (!localOnly || domain === null));

/** Returns what a role may lift or end for an account now. */
export const liftingsFor = (account: AdminAccount, role: string | null): Lifting[] =>
  LIFTINGS.filter(
    ({ applies, permission }) => applies(account) && (permission === undefined || mayDo(role, permission)),
  );
