import { extractHashtags } from '#commands/text/extract.ts';
import type { Instance } from '#kernel/context.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { fillOrigins } from '#queries/entities/ready-json.ts';
import type { LocalPost } from '#queries/federation/index.ts';
import { type Document, POST_CONTEXT, PUBLIC } from './contexts.ts';
import { interactionPolicy } from './interaction-policy.ts';
import { emojiTags, mediaTypeOf } from './pictures.ts';

/** Returns the recipients of a post: https://docs.joinmastodon.org/spec/activitypub/#Mention */
export function audienceOf({
  visibility,
  author_uri,
  mentions,
}: Pick<LocalPost, 'visibility' | 'author_uri' | 'mentions'>): { to: string[]; cc: string[] } {
  const followers = `${author_uri}/followers`;
  const mentioned = mentions.map(({ uri }) => uri);
  switch (visibility) {
    case 'public':
      return { to: [PUBLIC], cc: [followers, ...mentioned] };
    case 'unlisted':
      return { to: [followers], cc: [PUBLIC, ...mentioned] };
    case 'private':
      return { to: [followers], cc: mentioned };
    case 'direct':
      return { to: mentioned, cc: [] };
  }
}

/** Returns the URI of a thread, which lists its posts. */
export const conversationUri = (id: string, { origin }: Instance): string => `${origin}/contexts/${id}`;

/**
 * Returns the document of a local post: https://docs.joinmastodon.org/spec/activitypub/#status; a Question
 * when it has a poll.
 */
export function postDocument(post: LocalPost, instance: Instance): Document {
  const content = JSON.parse(post.content) as string;
  return {
    id: post.uri,
    type: post.poll ? 'Question' : 'Note',
    summary: post.spoiler_text === '' ? null : post.spoiler_text,
    inReplyTo: post.in_reply_to,
    published: post.created_at,
    ...(post.edited_at === null ? {} : { updated: post.edited_at }),
    url: post.url,
    attributedTo: post.author_uri,
    ...audienceOf(post),
    sensitive: post.sensitive,
    conversation: conversationUri(post.conversation_id, instance),
    content,
    ...(post.language === null ? {} : { contentMap: { [post.language]: content } }),
    interactionPolicy: interactionPolicy(post),
    ...authorizedBy('replyAuthorization', post.authorization),
    ...quoteOf(post),
    ...questionOf(post),
    attachment: [...attachmentsOf(post, instance), ...cardOf(post, instance)],
    tag: tagsOf(post, instance),
    replies: {
      id: `${post.uri}/replies`,
      type: 'Collection',
      first: {
        type: 'CollectionPage',
        partOf: `${post.uri}/replies`,
        next: `${post.uri}/replies?page=true`,
        items: [],
      },
    },
    ...talliesOf(post),
  };
}

/** Returns the number of favourites and reblogs: https://www.w3.org/TR/activitypub/#likes */
export const talliesOf = ({ uri, favourites_count, reblogs_count }: LocalPost) => ({
  likes: { id: `${uri}/likes`, type: 'Collection', totalItems: favourites_count },
  shares: { id: `${uri}/shares`, type: 'Collection', totalItems: reblogs_count },
});

/** Returns the activity that created a post or a reblog. */
export function activityDocument(post: LocalPost, instance: Instance): Document {
  const { to, cc } = audienceOf(post);
  const common = { actor: post.author_uri, published: post.created_at };
  if (post.reblog_of === null) {
    return {
      id: `${post.uri}/activity`,
      type: 'Create',
      ...common,
      to,
      cc,
      object: postDocument(post, instance),
    };
  }
  const told = post.reblog_of_author === null ? cc : [post.reblog_of_author, ...cc];
  const authorized = authorizedBy('announceAuthorization', post.authorization);
  return { id: post.uri, type: 'Announce', ...common, to, cc: told, object: post.reblog_of, ...authorized };
}

/** Returns the activity that changed a post; `id` distinguishes this change from others. */
export function updateOfPost(post: LocalPost, id: string, instance: Instance): Document {
  const { to, cc } = audienceOf(post);
  const published = post.edited_at ?? post.created_at;
  const object = postDocument(post, instance);
  return { id, type: 'Update', actor: post.author_uri, published, to, cc, object };
}

/** Returns the tombstone of a deleted post. */
export const tombstone = (uri: string): Document => ({
  '@context': POST_CONTEXT,
  id: uri,
  type: 'Tombstone',
});

/** FEP-044f, and the names that older servers know. */
const quoteOf = ({ quote, quote_authorization: authorization }: LocalPost): Document =>
  quote === null
    ? {}
    : {
        quote,
        quoteUri: quote,
        _misskey_quote: quote,
        ...(authorization === null ? {} : { quoteAuthorization: authorization }),
      };

/** The authorization of an interaction, also under the name that servers older than GoToSocial 0.20 know. */
export const authorizedBy = (
  name: 'replyAuthorization' | 'likeAuthorization' | 'announceAuthorization',
  authorization: string | null,
): Document => (authorization === null ? {} : { [name]: authorization, approvedBy: authorization });

/** https://docs.joinmastodon.org/spec/activitypub/#Question */
function questionOf({ poll }: LocalPost): Document {
  if (!poll) return {};
  const expired = poll.poll_expired === true;
  const shown = expired || !poll.poll_hide_totals;
  const tallies = JSON.parse(poll.poll_tallies ?? '{}') as Record<string, number>;
  const options = (JSON.parse(poll.poll_options) as string[]).map((name, index) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', totalItems: shown ? (tallies[index] ?? 0) : 0 },
  }));
  const end = poll.poll_expires_at && new Date(poll.poll_expires_at).toISOString();
  return {
    [poll.poll_multiple ? 'anyOf' : 'oneOf']: options,
    ...(end === null ? {} : { endTime: end, ...(expired ? { closed: end } : {}) }),
    votersCount: poll.poll_voters_count,
  };
}

interface Attachment {
  url: string | null;
  description: string | null;
  blurhash: string | null;
  meta: { original?: { width?: number; height?: number }; focus?: { x: number; y: number } } | null;
}

/** Attachments that are still being processed have no address yet. */
function attachmentsOf({ media }: LocalPost, instance: Instance): Document[] {
  if (media === null) return [];
  const attachments = JSON.parse(fillOrigins(media, instance)) as Attachment[];
  return attachments.flatMap(({ url, description, blurhash, meta }) =>
    url === null
      ? []
      : [
          {
            type: 'Document',
            mediaType: mediaTypeOf(url),
            url,
            ...(description === null ? {} : { summary: description, name: description }),
            ...(blurhash === null ? {} : { blurhash }),
            ...(meta?.focus ? { focalPoint: [meta.focus.x, meta.focus.y] } : {}),
            ...(meta?.original?.width && meta.original.height
              ? { width: meta.original.width, height: meta.original.height }
              : {}),
          },
        ],
  );
}

/** The card as Mastodon 4.7 sends it: others describe the page by themselves. */
function cardOf({ card }: LocalPost, instance: Instance): Document[] {
  if (card === null) return [];
  const { url: href } = JSON.parse(fillOrigins(card, instance)) as { url: string };
  return [{ type: 'Link', href }];
}

function tagsOf({ mentions, tags, text, emojis }: LocalPost, instance: Instance): Document[] {
  const written = new Map(extractHashtags(text ?? '').map((name) => [normalizeTag(name), name]));
  return [
    ...mentions.map(({ uri, username, domain }) => ({
      type: 'Mention',
      href: uri,
      name: `@${username}@${domain ?? instance.domain}`,
    })),
    ...tags.map((tag) => ({
      type: 'Hashtag',
      href: `${instance.origin}/tags/${encodeURIComponent(tag)}`,
      name: `#${written.get(tag) ?? tag}`,
    })),
    ...(emojis === null ? [] : emojiTags(fillOrigins(emojis, instance), instance)),
  ];
}
