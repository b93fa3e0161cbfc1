import type { LocalPost } from '#queries/federation/index.ts';
import { type Document, PUBLIC } from './contexts.ts';

type Policied = Pick<LocalPost, 'visibility' | 'author_uri' | 'mentions' | 'quote_policy'>;

/**
 * Returns the accounts that may reply to, like, announce and quote a local post without approval.
 * https://docs.gotosocial.org/en/latest/federation/interaction_policy/
 */
export function interactionPolicy(post: Policied): Document {
  const readers = readersOf(post);
  return {
    canQuote: { automaticApproval: [QUOTERS[post.quote_policy](post)] },
    canReply: approved(readers),
    canLike: approved(readers),
    canAnnounce: approved(isForEverybody(post) ? [PUBLIC] : [post.author_uri]),
  };
}

/** Servers older than GoToSocial 0.20 know the older name only. */
const approved = (uris: string[]): Document => ({ automaticApproval: uris, always: uris });

const isForEverybody = ({ visibility }: Policied): boolean =>
  visibility === 'public' || visibility === 'unlisted';

/** Returns the accounts that can see a post, in the terms of a policy. */
function readersOf(post: Policied): string[] {
  const { visibility, author_uri: author, mentions } = post;
  if (isForEverybody(post)) return [PUBLIC];
  const mentioned = mentions.map(({ uri }) => uri).filter((uri) => uri !== author);
  return [author, ...(visibility === 'private' ? [`${author}/followers`] : []), ...mentioned];
}

const QUOTERS = {
  public: () => PUBLIC,
  followers: ({ author_uri }: Policied) => `${author_uri}/followers`,
  nobody: ({ author_uri }: Policied) => author_uri,
};
