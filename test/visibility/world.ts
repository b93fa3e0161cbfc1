import type { Visibility } from '#events/accounts.ts';
import type { TestServer } from '../support/server.ts';

/**
 * The viewers. All but the stranger and the staff were mentioned or followed once; the name says what came
 * after.
 */
export const VIEWERS = [
  ...['anonymous', 'stranger', 'staff', 'follower', 'mentioned'],
  ...['blocked', 'blocking', 'muting', 'domainBlocking'],
] as const;
export type Viewer = (typeof VIEWERS)[number];
/** The authors: a local one, one suspended since, and a remote one. */
export const AUTHORS = ['author', 'gone', 'far'] as const;
export type Author = (typeof AUTHORS)[number];
/** `boost` is a reblog of the author's post by a user who sees all of them. */
export const FORMS = ['post', 'reply', 'quote', 'reblog', 'boost'] as const;
export type Form = (typeof FORMS)[number];

export interface Item {
  id: string;
  author: Author;
  visibility: Visibility;
  form: Form;
  /** A word that only the text of this post contains. Reblogs have no text. */
  word: string | undefined;
  pollId: string | undefined;
  /** A public reply to the post by a user who sees it. */
  answerId?: string;
}

export interface World {
  server: TestServer;
  items: Item[];
  /** The account id of each viewer and author. */
  ids: Record<string, string>;
  tokens: Record<string, string>;
  /** The post that all replies answer, and its author. */
  rootId: string;
  friendId: string;
  /** The list of each viewer that holds all authors. */
  lists: Partial<Record<Viewer, string>>;
}

/** Users with a local account. */
export const PEOPLE = [...VIEWERS.slice(1), 'friend', 'author', 'gone'];
/** Accounts that every post mentions. */
export const MENTIONED = ['friend', 'mentioned', 'blocked', 'blocking', 'muting', 'domainBlocking'];
/** Accounts that followed all authors at the time of posting. */
export const FOLLOWERS = ['friend', 'follower', 'blocked', 'blocking', 'muting', 'domainBlocking'];

/**
 * Whether a viewer may see a post, by an independent definition that does not use the conditions under test.
 */
export function maySee(viewer: Viewer, { author, visibility, form }: Item): boolean {
  if (author === 'gone' || viewer === 'blocked') return false;
  if (visibility === 'public' || visibility === 'unlisted') return true;
  if (form !== 'reblog' && MENTIONED.includes(viewer)) return true;
  // Blocks ended the other follows: blocks of accounts, and the block of the server.
  const follows = viewer === 'domainBlocking' ? author !== 'far' : ['follower', 'muting'].includes(viewer);
  return visibility === 'private' && follows;
}

/** Whether a viewer wants posts of an author in timelines. */
export const wants = (viewer: Viewer, author: Author): boolean =>
  !['blocked', 'blocking', 'muting'].includes(viewer) && !(viewer === 'domainBlocking' && author === 'far');

/** The posts that each viewer favourited and bookmarked while they could see them. */
export const favouritable = ({ form }: Item): boolean => form === 'post' || form === 'quote';
export const bookmarkable = ({ form }: Item): boolean => form === 'post' || form === 'reply';
export const sawOnce = (viewer: Viewer, { visibility }: Item): boolean =>
  viewer !== 'anonymous' &&
  (visibility === 'public' ||
    visibility === 'unlisted' ||
    MENTIONED.includes(viewer) ||
    (visibility === 'private' && FOLLOWERS.includes(viewer)));
