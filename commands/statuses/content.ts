import { z } from 'zod';
import type { MediaAttachmentData } from '#events/media-attachment.ts';
import type { PollQuestion, StatusContent } from '#events/statuses.ts';
import { invalid } from '#kernel/errors.ts';
import { formBoolean, formObject, formStringArray } from '#kernel/input.ts';
import { postLanguage } from '#mastodon/languages.ts';
import { CHARACTERS_PER_URL, MAX_CHARACTERS } from '#mastodon/limits.ts';
import { MEDIA_LIMITS } from '#mastodon/media-limits.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import type { MentionedAccount } from '#queries/statuses/index.ts';
import { hasMoreCharacters } from '../text/count.ts';
import { extractHashtags, extractMentions, handleKey } from '../text/extract.ts';
import { formatStatus, RELATION, renderLink, trimText } from '../text/format.ts';
import { pollInput } from './poll.ts';

/** The author's input; the same for a new post, an edit and a scheduled one. */
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
  media_ids: formStringArray(100, 40, { alone: true })
    .optional()
    .describe(
      `IDs of uploaded attachments in their order, at most ${MEDIA_LIMITS.perStatus}, and none beside a poll.`,
    ),
  poll: formObject(pollInput).describe('The poll of the status.'),
};
export type ContentInput = z.output<z.ZodObject<typeof contentInput>>;

/** Text and warning in their stored form, trimmed, and whether media are hidden. */
export interface Words {
  text: string;
  spoilerText: string;
  sensitive: boolean;
}

/** A warning without a text is the text, as in Mastodon; beside a quote it stays a warning. A warning makes the post sensitive. */
export function wordsOf(
  input: ContentInput,
  { quotes, sensitive }: { quotes: boolean; sensitive: boolean },
): Words {
  const given = written(input.status);
  const warning = written(input.spoiler_text);
  const promoted = given === '' && !quotes;
  return {
    text: promoted ? warning : given,
    spoilerText: promoted ? '' : warning,
    sensitive: (input.sensitive ?? sensitive) || warning !== '',
  };
}

/** Trims ASCII white space. A text of white space alone is empty. */
const written = (given: string | null | undefined): string =>
  given == null || given.trim() === '' ? '' : trimText(given);

/** Returns the handles in the text that the post will have, in the form of `handleKey`. */
export const handlesIn = (input: ContentInput, quotes: boolean): string[] =>
  extractMentions(wordsOf(input, { quotes, sensitive: false }).text).map(handleKey);

export interface ContentFacts {
  origin: string;
  /** By `handleKey`. */
  mentioned: ReadonlyMap<string, MentionedAccount>;
  /** The handles of accounts that a job looks for. */
  awaited?: readonly string[];
  /** The default when the input names no language. */
  language: string | null;
  media: MediaAttachmentData[];
  poll: PollQuestion | null;
  /** The post quotes another, which may be deleted. */
  quotes: boolean;
  /** The web address of the quoted post, while it exists. */
  quotedUrl?: string | undefined;
}

/** Returns a post's content in its stored form. Pure. @throws RookeryError `invalid` */
export function decideContent(
  { text, spoilerText, sensitive }: Words,
  input: Pick<ContentInput, 'language'>,
  facts: ContentFacts,
): StatusContent {
  if (text === '' && facts.media.length === 0 && !facts.quotes) {
    throw invalid("Validation failed: Text can't be blank");
  }
  if (hasMoreCharacters({ text, spoilerText }, MAX_CHARACTERS)) {
    throw invalid(`Validation failed: Text character limit of ${MAX_CHARACTERS} exceeded`);
  }
  // A poll and media exclude each other; Mastodon uses the same words for it.
  if (facts.media.length > 0 && facts.poll)
    throw invalid(`Cannot attach more than ${MEDIA_LIMITS.perStatus} files`);
  return {
    text,
    content: contentHtml(text, facts),
    spoiler_text: spoilerText,
    sensitive,
    language: postLanguage(input.language) ?? postLanguage(facts.language),
    mentions: mentionsOf(text, facts),
    tags: extractHashtags(text).map((name) => ({ name, normal: normalizeTag(name) })),
    media: facts.media,
    poll: facts.poll,
    ...awaitedMentions(facts),
  };
}

/** Returns the stored form of handles that a job looks for: URIs of RFC 7565. */
const awaitedMentions = ({
  awaited = [],
}: Pick<ContentFacts, 'awaited'>): Pick<StatusContent, 'unresolved_mentions'> =>
  awaited.length === 0 ? {} : { unresolved_mentions: awaited.map((handle) => `acct:${handle}`) };

/** Returns the HTML of a post. Pure. */
export const contentHtml = (
  text: string,
  { origin, mentioned, quotedUrl }: Pick<ContentFacts, 'origin' | 'mentioned' | 'quotedUrl'>,
): string =>
  quotePrefix(text, quotedUrl) + (text === '' ? '' : formatStatus(text, { origin, mentions: mentioned }));

/**
 * For servers without support for quotes:
 * https://docs.joinmastodon.org/methods/statuses/#form-data-parameters
 */
function quotePrefix(text: string, url: string | undefined): string {
  if (url === undefined || text.includes(url)) return '';
  return `<p class="quote-inline">RE: ${renderLink(url, RELATION)}</p>`;
}

function mentionsOf(text: string, { mentioned }: ContentFacts): StatusContent['mentions'] {
  const found = extractMentions(text).flatMap((handle) => mentioned.get(handleKey(handle)) ?? []);
  return [...new Map(found.map(({ id, username, acct, url }) => [id, { id, username, acct, url }])).values()];
}
