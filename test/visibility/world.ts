import type { Visibility } from '../../src/events/accounts.ts';
import type { TestServer } from '../support/server.ts';

/** Who looks. All but the stranger and the staff were mentioned or followed once; what came after is in the name. */
export const VIEWERS = [
  ...['anonymous', 'stranger', 'staff', 'follower', 'mentioned'],
  ...['blocked', 'blocking', 'muting', 'domainBlocking'],
] as const;
export type Viewer = (typeof VIEWERS)[number];
/** Whose posts: one of this server, one who was suspended since, one of another server. */
export const AUTHORS = ['author', 'gone', 'far'] as const;
export type Author = (typeof AUTHORS)[number];
/** `boost` is the reblog of the author's post by somebody who sees all of them. */
export const FORMS = ['post', 'reply', 'quote', 'reblog', 'boost'] as const;
export type Form = (typeof FORMS)[number];

export interface Item {
  id: string;
  author: Author;
  visibility: Visibility;
  form: Form;
  /** In the text of this post only. Reblogs have no text. */
  word: string | undefined;
  pollId: string | undefined;
  /** The public answer to it of somebody who sees it. */
  answerId?: string;
}

export interface World {
  server: TestServer;
  items: Item[];
  /** By whom each viewer and author is known. */
  ids: Record<string, string>;
  tokens: Record<string, string>;
  /** The post that all replies answer, and its author. */
  rootId: string;
  friendId: string;
  /** Lists of their owners with all authors in them. */
  lists: Partial<Record<Viewer, string>>;
}

/** Those with an account here. */
export const PEOPLE = [...VIEWERS.slice(1), 'friend', 'author', 'gone'];
/** Whom every post mentions. */
export const MENTIONED = ['friend', 'mentioned', 'blocked', 'blocking', 'muting', 'domainBlocking'];
/** Who followed all authors when they posted. */
export const FOLLOWERS = ['friend', 'follower', 'blocked', 'blocking', 'muting', 'domainBlocking'];

/** Whether a viewer may see a post, said anew: not by the conditions that this is to check. */
export function maySee(viewer: Viewer, { author, visibility, form }: Item): boolean {
  if (author === 'gone' || viewer === 'blocked') return false;
  if (visibility === 'public' || visibility === 'unlisted') return true;
  if (form !== 'reblog' && MENTIONED.includes(viewer)) return true;
  // Blocks ended the other follows: those of people, and that of the server.
  const follows = viewer === 'domainBlocking' ? author !== 'far' : ['follower', 'muting'].includes(viewer);
  return visibility === 'private' && follows;
}

/** Whether a viewer wants posts of an author in timelines. */
export const wants = (viewer: Viewer, author: Author): boolean =>
  !['blocked', 'blocking', 'muting'].includes(viewer) && !(viewer === 'domainBlocking' && author === 'far');

/** What each viewer favourited and bookmarked while it was there for him. */
export const favouritable = ({ form }: Item): boolean => form === 'post' || form === 'quote';
export const bookmarkable = ({ form }: Item): boolean => form === 'post' || form === 'reply';
export const sawOnce = (viewer: Viewer, { visibility }: Item): boolean =>
  viewer !== 'anonymous' &&
  (visibility === 'public' ||
    visibility === 'unlisted' ||
    MENTIONED.includes(viewer) ||
    (visibility === 'private' && FOLLOWERS.includes(viewer)));
