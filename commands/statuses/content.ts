import { z } from 'zod';
import { normalizeTag } from '../../src/kernel/normalize-tag.ts';
import type { MediaAttachmentData } from '../../src/events/media-attachment.ts';
import type { PollQuestion, StatusContent } from '../../src/events/statuses.ts';
import { escapeHtml } from '../../src/kernel/html.ts';
import { invalid } from '../../src/kernel/errors.ts';
import { formBoolean, formObject, formStringArray } from '../../src/kernel/input.ts';
import { languageCode } from '../../src/kernel/language.ts';
import { CHARACTERS_PER_URL, MAX_CHARACTERS } from '../../src/kernel/limits.ts';
import { MEDIA_LIMITS } from '../../src/kernel/media.ts';
import type { MentionedAccount } from '../../queries/statuses/index.ts';
import { hasMoreCharacters } from '../text/count.ts';
import { extractHashtags, extractMentions, handleKey } from '../text/extract.ts';
import { formatStatus } from '../text/format.ts';
import { pollInput } from './poll.ts';

/** What a person writes; the same for a new post, an edit and a scheduled one. */
export const contentInput = {
  status: z
    .string()
    .max(100_000)
    .nullable()
    .optional()
    .describe(
      `The text, of at most ${MAX_CHARACTERS} characters together with the content warning; a link counts as ${CHARACTERS_PER_URL}.`,
    ),
  spoiler_text: z
    .string()
    .max(100_000)
    .nullable()
    .optional()
    .describe('The content warning, behind which text and media are hidden.'),
  sensitive: formBoolean
    .optional()
    .describe('Whether media are hidden behind a warning; a content warning makes it true.'),
  language: z.string().max(35).nullable().optional().describe('The code of the language of the text.'),
  media_ids: formStringArray(100, 40)
    .optional()
    .describe(
      `IDs of uploaded attachments in their order, at most ${MEDIA_LIMITS.perStatus}, and none beside a poll.`,
    ),
  poll: formObject(pollInput).describe('The poll of the status.'),
};
export type ContentInput = z.output<z.ZodObject<typeof contentInput>>;

export interface ContentFacts {
  origin: string;
  /** By `handleKey`. */
  mentioned: ReadonlyMap<string, MentionedAccount>;
  defaults: { sensitive: boolean; language: string | null };
  media: MediaAttachmentData[];
  poll: PollQuestion | null;
  /** The web address of the post that is quoted. */
  quotedUrl?: string | undefined;
}

/** A post's content as it will be stored, or why it cannot be. Pure. @throws RookeryError `invalid` */
export function decideContent(input: ContentInput, facts: ContentFacts): StatusContent {
  const spoiler = (input.spoiler_text ?? '').trim();
  // A warning without a text is the text, as in Mastodon.
  const given = (input.status ?? '').trim();
  const [text, spoilerText] = given === '' ? [spoiler, ''] : [given, spoiler];
  if (text === '' && facts.media.length === 0 && facts.quotedUrl === undefined) {
    throw invalid("Validation failed: Text can't be blank");
  }
  if (hasMoreCharacters({ text, spoilerText }, MAX_CHARACTERS)) {
    throw invalid(`Validation failed: Text character limit of ${MAX_CHARACTERS} exceeded`);
  }
  // A poll and media exclude each other; Mastodon has no other words for it.
  if (facts.media.length > 0 && facts.poll)
    throw invalid(`Cannot attach more than ${MEDIA_LIMITS.perStatus} files`);
  return {
    text,
    content: quotePrefix(text, facts.quotedUrl) + formatted(text, facts),
    spoiler_text: spoilerText,
    sensitive: (input.sensitive ?? facts.defaults.sensitive) || spoilerText !== '',
    language: languageCode(input.language) ?? facts.defaults.language,
    mentions: mentionsOf(text, facts),
    tags: extractHashtags(text).map((name) => ({ name, normal: normalizeTag(name) })),
    media: facts.media,
    poll: facts.poll,
  };
}

const formatted = (text: string, { origin, mentioned }: ContentFacts): string =>
  text === '' ? '' : formatStatus(text, { origin, mentions: mentioned });

/** For servers that know no quotes: https://docs.joinmastodon.org/methods/statuses/#form-data-parameters */
function quotePrefix(text: string, url: string | undefined): string {
  if (url === undefined || text.includes(url)) return '';
  const address = escapeHtml(url);
  return `<p class="quote-inline">RE: <a href="${address}" target="_blank" rel="nofollow noopener">${address}</a></p>`;
}

function mentionsOf(text: string, { mentioned }: ContentFacts): StatusContent['mentions'] {
  const found = extractMentions(text).flatMap((handle) => mentioned.get(handleKey(handle)) ?? []);
  return [...new Map(found.map(({ id, username, acct, url }) => [id, { id, username, acct, url }])).values()];
}
