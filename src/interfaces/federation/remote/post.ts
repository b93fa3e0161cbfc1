import type { Visibility } from '#events/accounts.ts';
import type { RemoteEmoji } from '#events/remote-emoji.ts';
import type { InteractionPolicy, QuotePolicy } from '#events/statuses.ts';
import { normalizeTag } from '#mastodon/normalize-tag.ts';
import { isActivityType } from '../negotiation.ts';
import { isFile, pictureIn } from './attachments.ts';
import type { RemoteDocument } from './documents.ts';
import { emojisOf } from './emojis.ts';
import { EVERYBODY, interactionPolicyOf } from './interaction-policy.ts';
import {
  type Foreign,
  idOf,
  isObject,
  listOf,
  momentOf,
  naturalText,
  pageOf,
  pastMoment,
  textOf,
  typesOf,
} from './json.ts';
import { plainLine } from './plain-line.ts';
import { convertedText, languageOf, writtenText } from './post-text.ts';
import { RemoteError } from './remote-error.ts';
import { tagsOf } from './tags.ts';

const WRITTEN = ['Note', 'Question'];
/** Shown as a title and a link: https://docs.joinmastodon.org/spec/activitypub/#payloads */
const CONVERTED = ['Article', 'Page', 'Image', 'Audio', 'Video', 'Event'];
const MAX_WARNING = 5_000;
const MAX_OPTIONS = 500;
const MAX_OPTION = 500;
const MAX_RECIPIENTS = 1_000;
const MAX_ATTACHED = 100;

/** A parsed and sanitized remote post, without the parts that need a lookup. */
export interface ForeignPost {
  uri: string;
  url: string;
  authorUri: string;
  createdAt: string;
  content: string;
  warning: string;
  sensitive: boolean;
  language: string | null;
  visibility: Visibility;
  inReplyTo: string | null;
  mentions: string[];
  /** The URIs of all recipients. */
  addressed: string[];
  /** ISO 8601; null for a post that was not edited. */
  editedAt: string | null;
  tags: { name: string; normal: string }[];
  poll: ForeignPoll | null;
  attachments: unknown[];
  emojis: RemoteEmoji[];
  quote: ForeignQuote | null;
  /** The URIs of accounts that may quote it without approval. */
  quoters: string[];
  /** Null when it approves everyone. */
  interactionPolicy: InteractionPolicy | null;
  /** The authorization that it names as a reply. */
  replyAuthorization: string | null;
}

/** The quote that a post states, and the authorization that it names. https://w3id.org/fep/044f */
export interface ForeignQuote {
  uri: string;
  authorization: string | null;
}

export interface ForeignPoll {
  options: string[];
  multiple: boolean;
  expiresAt: string | null;
  /** Votes by option, and the number of voters; null when the document lacks them. */
  tally: { votes: number[]; voters: number } | null;
}

/** The origin of a post that was sent, not fetched: its author, whose followers' collection it may name. */
export interface SentBy {
  followers: string | null;
}

export const isPost = ({ document }: RemoteDocument): boolean => {
  const types = typesOf(document);
  return [...WRITTEN, ...CONVERTED].some((type) => types.includes(type));
};

/**
 * Parses a post. Its author must have its own origin (GHSA-jhrq-qvrm-qr36), and it must be public unless it
 * was sent: other posts are not fetched. @throws RemoteError
 */
export function postOf(remote: RemoteDocument, now: string, sent?: SentBy): ForeignPost {
  const { id, document } = remote;
  if (!isPost(remote)) throw new RemoteError('is no post');
  const authorUri = authorOf(document['attributedTo']);
  if (URL.parse(authorUri)?.origin !== new URL(id).origin)
    throw new RemoteError('is by an author of another origin');
  const converted = !typesOf(document).some((type) => WRITTEN.includes(type));
  const url = pageOf(document, id);
  const addressed = [...recipients(document, 'to'), ...recipients(document, 'cc')];
  // The summary is a content warning for notes only.
  const warning = converted ? '' : plainLine(naturalText(document, 'summary', MAX_WARNING));
  const poll = questionOf(document);
  const quote = quoteOf(document);
  const attachments = [...pictureIn(document), ...listOf(document['attachment'], MAX_ATTACHED)];
  const isShown = quote !== null || attachments.some(isFile);
  const content = converted ? convertedText(document, url) : writtenText(document, { isShown });
  if (content === '' && warning === '' && poll === null && !isShown) throw new RemoteError('is empty');
  return {
    uri: id,
    url,
    authorUri,
    warning,
    content,
    poll,
    createdAt: pastMoment(document['published'], now) ?? now,
    sensitive: document['sensitive'] === true || warning !== '',
    language: languageOf(document),
    visibility: audienceOf(document, sent),
    addressed: [...new Set(addressed)],
    editedAt: editedAt(document, now),
    inReplyTo: answeredIn(document),
    mentions: mentionsOf(document),
    tags: hashtagsOf(document),
    attachments,
    quote,
    quoters: quotersOf(document),
    interactionPolicy: interactionPolicyOf(document),
    replyAuthorization: authorizationOf(document, 'replyAuthorization'),
    emojis: emojisOf(document, [warning, content, ...(poll?.options ?? [])]),
  };
}

/** An edit in the future, by a fast clock, counts as now. */
function editedAt({ updated }: RemoteDocument['document'], now: string): string | null {
  const moment = momentOf(updated);
  return moment === undefined ? null : (pastMoment(moment, now) ?? now);
}

function authorOf(value: unknown): string {
  const authors = listOf(value, 20);
  // The list may contain groups and persons; the person is the author.
  const person =
    authors.find((author) => isObject(author) && typesOf(author).includes('Person')) ?? authors[0];
  const id = idOf(person);
  if (id === undefined) throw new RemoteError('has no author');
  return id;
}

const recipients = (document: RemoteDocument['document'], name: 'to' | 'cc'): string[] =>
  listOf(document[name], MAX_RECIPIENTS).flatMap((recipient) => idOf(recipient) ?? []);

/**
 * Returns the audience of an object. Without the public collection and the sender's followers, only the named
 * accounts may see it.
 * @throws RemoteError for an object that is not public, when it was not sent
 */
export function audienceOf(document: RemoteDocument['document'], sent?: SentBy): Visibility {
  const [to, cc] = [recipients(document, 'to'), recipients(document, 'cc')];
  const isPublic = (uri: string): boolean => EVERYBODY.includes(uri);
  if (to.some(isPublic)) return 'public';
  if (cc.some(isPublic)) return 'unlisted';
  if (!sent) throw new RemoteError('is not for everybody');
  return sent.followers !== null && [...to, ...cc].includes(sent.followers) ? 'private' : 'direct';
}

function answeredIn(document: RemoteDocument['document']): string | null {
  const uri = idOf(listOf(document['inReplyTo'], 1)[0]);
  return uri !== undefined && uri.length <= MAX_URI ? uri : null;
}

/** As in Mastodon, the first one counts; older servers use other names. */
const QUOTE_NAMES = ['quote', 'quoteUrl', 'quoteUri', '_misskey_quote'];
const MAX_URI = 2_048;

function quoteOf(document: RemoteDocument['document']): ForeignQuote | null {
  const uriOf = (value: unknown): string | undefined => {
    const uri = idOf(listOf(value, 1)[0]);
    return uri !== undefined && uri.length <= MAX_URI ? uri : undefined;
  };
  const named = QUOTE_NAMES.map((name) => uriOf(document[name])).find((found) => found !== undefined);
  const uri = named ?? uriOf(tagsOf(document, 'Link').find(isQuoteLink)?.['href']);
  if (uri === undefined) return null;
  return { uri, authorization: uriOf(document['quoteAuthorization']) ?? null };
}

/** Returns the URI of an authorization; servers older than GoToSocial 0.20 use one name for all kinds. */
export function authorizationOf(
  document: Foreign,
  name: 'replyAuthorization' | 'announceAuthorization',
): string | null {
  const uri = idOf(listOf(document[name] ?? document['approvedBy'], 1)[0]);
  return uri !== undefined && uri.length <= MAX_URI ? uri : null;
}

const QUOTE_RELATIONS = ['https://misskey-hub.net/ns#_misskey_quote', 'https://w3id.org/fep/044f#quote'];

/**
 * Tells whether a tag is a link to an object in the text, declared as the quote: https://w3id.org/fep/e232
 */
const isQuoteLink = ({ mediaType, rel }: Foreign): boolean =>
  typeof mediaType === 'string' &&
  isActivityType(mediaType) &&
  listOf(rel, 10).some((one) => (QUOTE_RELATIONS as unknown[]).includes(one));

const MAX_QUOTERS = 20;

function quotersOf({ interactionPolicy: policy }: RemoteDocument['document']): string[] {
  const canQuote = isObject(policy) ? policy['canQuote'] : undefined;
  const given = isObject(canQuote) ? canQuote['automaticApproval'] : undefined;
  return listOf(given, MAX_QUOTERS).flatMap((one) => idOf(one) ?? []);
}

/** Returns the quote policy that a post declares; `followers` is the URI of its author's followers. */
export function quotePolicyOf(
  { visibility, quoters }: Pick<ForeignPost, 'visibility' | 'quoters'>,
  followers: string | null,
): QuotePolicy {
  if (visibility !== 'public' && visibility !== 'unlisted') return 'nobody';
  if (quoters.some((uri) => EVERYBODY.includes(uri))) return 'public';
  return followers !== null && quoters.includes(followers) ? 'followers' : 'nobody';
}

function mentionsOf(document: RemoteDocument['document']): string[] {
  return [...new Set(tagsOf(document, 'Mention').flatMap(({ href }) => idOf(href) ?? []))];
}

function hashtagsOf(document: RemoteDocument['document']): ForeignPost['tags'] {
  const tags = tagsOf(document, 'Hashtag').flatMap((tag) => {
    const name = textOf(tag['name'], 255).replace(/^#/, '');
    const normal = normalizeTag(name);
    return normal === '' ? [] : [{ name, normal }];
  });
  return [...new Map(tags.map((tag) => [tag.normal, tag])).values()];
}

/**
 * Parses https://docs.joinmastodon.org/spec/activitypub/#Question. @throws RemoteError for too many options
 */
function questionOf(document: RemoteDocument['document']): ForeignPost['poll'] {
  if (!typesOf(document).includes('Question')) return null;
  // Some servers send both, one of them empty.
  const multiple = listOf(document['anyOf'], 1).length > 0;
  const given = listOf(document[multiple ? 'anyOf' : 'oneOf'], MAX_OPTIONS + 1);
  if (given.length > MAX_OPTIONS) throw new RemoteError('has a poll of too many options');
  // Unchanged, because votes name an option by its title.
  const options = given.map((option) =>
    isObject(option)
      ? naturalText(option, 'name', MAX_OPTION) || naturalText(option, 'content', MAX_OPTION)
      : '',
  );
  if (options.length === 0) return null;
  return { options, multiple, expiresAt: endOf(document), tally: tallyOf(document, given) };
}

/** Returns the end of a poll; `closed` may be a time, or only say that it has ended. */
function endOf({ closed, endTime, updated, published }: RemoteDocument['document']): string | null {
  const end = closed === true ? (momentOf(updated) ?? momentOf(published)) : momentOf(closed);
  return end ?? momentOf(endTime) ?? null;
}

const MAX_VOTES = 1_000_000_000;

function tallyOf(document: RemoteDocument['document'], options: readonly unknown[]): ForeignPoll['tally'] {
  const count = (value: unknown): number | undefined =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_VOTES
      ? (value as number)
      : undefined;
  const votes = options.map((option) => {
    const replies = isObject(option) ? option['replies'] : undefined;
    return isObject(replies) ? count(replies['totalItems']) : undefined;
  });
  if (votes.length === 0 || votes.includes(undefined)) return null;
  const told = votes.map((number) => number ?? 0);
  // Each voter has at least one vote, and some servers do not count the voters.
  return { votes: told, voters: count(document['votersCount']) ?? Math.max(...told) };
}
