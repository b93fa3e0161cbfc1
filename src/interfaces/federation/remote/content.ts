import type { RemoteStatus } from '#commands/federation/index.ts';
import type { StatusContent } from '#events/statuses.ts';
import type { Id } from '#kernel/ids.ts';
import { mentionOf } from '#queries/federation/index.ts';
import { attachmentsOf, linkedPageIn } from './attachments.ts';
import type { Authorization } from './authorizations.ts';
import type { Mentioned } from './mentions.ts';
import { type ForeignPost, quotePolicyOf } from './post.ts';

/** Returns the content of a post, in the form of events. */
export const contentOf = (
  post: ForeignPost,
  { known, unresolved }: Mentioned,
  newId: () => Id,
): StatusContent => ({
  ...pageOf(post),
  text: null,
  content: post.content,
  spoiler_text: post.warning,
  sensitive: post.sensitive,
  language: post.language,
  mentions: known.map(mentionOf),
  unresolved_mentions: unresolved,
  tags: post.tags,
  media: attachmentsOf(post.attachments, newId),
  poll: post.poll && {
    id: newId(),
    options: post.poll.options,
    multiple: post.poll.multiple,
    hide_totals: false,
    expires_at: post.poll.expiresAt,
  },
  emojis: post.emojis,
});

function pageOf({ attachments }: ForeignPost): Pick<StatusContent, 'linked_page'> {
  const page = linkedPageIn(attachments);
  return page === undefined ? {} : { linked_page: page };
}

/** Facts about a post that are not in its document. */
export interface Surroundings {
  accountId: Id;
  mentions: Mentioned;
  parent: { id: Id; account_id: Id; conversation_id: Id } | undefined;
  /** The quoted post, if the author may see it. */
  quoted: { id: Id; account_id: Id } | undefined;
  /** The URI of the author's followers; null when unknown. */
  followers: string | null;
  /** The authorization of a reply; null when it needs none, or has none. */
  authorization: Authorization | null;
}

/** Returns a post in its stored form. */
export const statusOf = (
  post: ForeignPost,
  { accountId, mentions, parent, quoted, followers, authorization }: Surroundings,
  newId: () => Id,
): RemoteStatus => {
  const { text: _, ...content } = contentOf(post, mentions, newId);
  const isOwn = ({ account_id }: { account_id: Id }): boolean => account_id === accountId;
  return {
    ...content,
    account_id: accountId,
    uri: post.uri,
    url: post.url,
    created_at: post.createdAt,
    ...(post.editedAt !== null && post.editedAt > post.createdAt ? { edited_at: post.editedAt } : {}),
    visibility: post.visibility,
    in_reply_to_id: parent?.id ?? null,
    in_reply_to_account_id: parent?.account_id ?? null,
    ...(parent || post.inReplyTo === null ? {} : { in_reply_to_uri: post.inReplyTo }),
    conversation_id: parent?.conversation_id ?? null,
    // Quotes of other accounts need the approval of the quoted author (`quote-authorizations.ts`).
    quote: quoted
      ? { id: quoted.id, account_id: quoted.account_id, state: isOwn(quoted) ? 'accepted' : 'pending' }
      : null,
    quote_policy: quotePolicyOf(post, followers),
    ...(post.interactionPolicy === null ? {} : { interaction_policy: post.interactionPolicy }),
    ...(authorization && {
      reply_authorization: authorization.uri,
      reply_authorized_by: authorization.authorUri,
    }),
  };
};
