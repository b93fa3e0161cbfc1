import type { RecordedOf } from '#kernel/event.ts';
import { plainText } from '#mastodon/html.ts';
import { emojisIn, members, ORIGIN, urlBelow } from '#mastodon/ready-json.ts';
import type { StatusReblogged } from './interactions.ts';
import { mediaAttachmentJson } from './media-attachment.ts';
import { emojisMeant, remoteEmojisJson } from './remote-emoji.ts';
import type { StatusCreated, StatusData, StatusEdited } from './statuses.ts';

type Created = RecordedOf<typeof StatusCreated>['data'];
type Edited = RecordedOf<typeof StatusEdited>['data'];
type Reblogged = RecordedOf<typeof StatusReblogged>['data'];

/**
 * Returns the part of https://docs.joinmastodon.org/entities/Status/ that is the same for every reader and
 * changes only with edits: without content, author, counters, poll, card, quote, emojis and the reader's own
 * members.
 */
export function statusBody(data: Created | Edited): string {
  const before = members({
    id: data.id,
    created_at: data.created_at,
    in_reply_to_id: data.in_reply_to_id,
    in_reply_to_account_id: data.in_reply_to_account_id,
    sensitive: data.sensitive,
    spoiler_text: data.spoiler_text,
    visibility: data.visibility,
    language: data.language,
    uri: data.uri,
    url: data.url,
    application: data.application && { name: data.application.name, website: data.application.website },
    mentions: data.mentions,
    edited_at: data.edited_at ?? null,
  });
  const tags = data.tags.map(
    ({ normal }) =>
      `{"name":${JSON.stringify(normal)},"url":${urlBelow(ORIGIN, `/tags/${encodeURIComponent(normal)}`)}}`,
  );
  return `${before},"tags":[${tags.join(',')}],"media_attachments":${mediaJson(data) ?? '[]'}`;
}

/** Returns the same of a reblog, which has only an id, a time and an audience of its own. */
export const reblogBody = (data: Reblogged): string =>
  members({
    id: data.id,
    created_at: data.created_at,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    sensitive: false,
    spoiler_text: '',
    visibility: data.visibility,
    language: null,
    uri: data.uri,
    url: data.uri,
    application: null,
    mentions: [],
    edited_at: null,
    tags: [],
    media_attachments: [],
  });

/** The member `content`: a JSON string. */
export const contentJson = ({ content }: Pick<StatusData, 'content'>): string => JSON.stringify(content);

/** Returns a JSON array of the attachments, or null for none. */
export const mediaJson = ({ media }: Pick<StatusData, 'media'>): string | null =>
  media.length === 0 ? null : `[${media.map(mediaAttachmentJson).join(',')}]`;

/** Returns the emojis that a local post may contain, or null for none. Remote posts carry their own. */
export const emojisJson = ({ local, text, spoiler_text, poll, emojis = [] }: StatusData): string | null =>
  local ? emojisIn([text ?? '', spoiler_text, ...(poll?.options ?? [])]) : remoteEmojisJson(emojis);

/** Returns the same for the options of its poll. */
export const pollEmojisJson = ({ local, poll, emojis = [] }: StatusData): string | null =>
  local ? emojisIn(poll?.options ?? []) : remoteEmojisJson(emojisMeant(emojis, poll?.options ?? []));

/** The line that links to the quoted post, which the author did not write. */
const QUOTE_LINE = /^<p class="quote-inline">.*?<\/p>/s;

/** Returns the text that keyword filters and search examine. */
export const searchableText = (data: StatusData): string =>
  [
    data.spoiler_text,
    plainText(data.local ? data.content.replace(QUOTE_LINE, '') : data.content),
    ...(data.poll?.options ?? []),
    ...data.media.map(({ description }) => description ?? ''),
  ]
    .filter((text) => text !== '')
    .join('\n');
