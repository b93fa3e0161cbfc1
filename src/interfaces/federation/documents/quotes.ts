import type { Instance } from '#kernel/context.ts';
import type { LocalPost } from '#queries/federation/index.ts';
import { type Document, QUOTE_AUTHORIZATION_CONTEXT, QUOTE_REQUEST_CONTEXT } from './contexts.ts';
import { postDocument } from './post.ts';

/*
 * Quotes between servers: https://w3id.org/fep/044f
 */

/**
 * Returns the address of the quote authorization of a local post. Matches `quoteAuthorizationUri` of
 * `queries/federation/quotes.ts`.
 */
export const quoteAuthorizationUri = (authorUri: string, quotingId: string): string =>
  `${authorUri}/quote_authorizations/${quotingId}`;

/** Returns the authorization of a quote by the author of the quoted post. */
export const quoteAuthorizationDocument = (
  id: string,
  authorUri: string,
  { quoting, quoted }: { quoting: string; quoted: string },
): Document => ({
  '@context': QUOTE_AUTHORIZATION_CONTEXT,
  id,
  type: 'QuoteAuthorization',
  attributedTo: authorUri,
  interactingObject: quoting,
  interactionTarget: quoted,
});

/**
 * Returns the id of a quote request: the URI of the author and the id of the quoting post. Many servers
 * ignore an activity with a known id, so each further request has its own.
 */
const requestUri = (actorUri: string, quotingId: string, tries: number): string =>
  `${actorUri}#quote_requests/${quotingId}${tries === 0 ? '' : `/${tries}`}`;
export const OWN_REQUEST = /#quote_requests\/([0-9]{1,19})(?:\/[0-9]{1,3})?$/;

/** Returns the request to quote a post with a local post; `tries` counts earlier requests. */
export const quoteRequest = (
  post: LocalPost & { quote: string },
  quotedAuthor: string,
  instance: Instance,
  tries: number,
): Document & { actor: string } => ({
  '@context': QUOTE_REQUEST_CONTEXT,
  id: requestUri(post.author_uri, post.id, tries),
  type: 'QuoteRequest',
  actor: post.author_uri,
  to: quotedAuthor,
  object: post.quote,
  instrument: postDocument(post, instance),
});

/** A quote request of another server. */
export interface AskedQuote {
  /** The URI of the request; null without one. */
  name: string | null;
  actor: string;
  quoting: string;
  quoted: string;
}

/** Returns the answer of the author of a local post; with `authorization` when they approve. */
export const quoteAnswer = (
  id: string,
  authorUri: string,
  { name, actor, quoting, quoted }: AskedQuote,
  authorization: string | undefined,
): Document & { actor: string } => ({
  '@context': QUOTE_REQUEST_CONTEXT,
  id,
  type: authorization === undefined ? 'Reject' : 'Accept',
  actor: authorUri,
  to: actor,
  object: {
    ...(name === null ? {} : { id: name }),
    type: 'QuoteRequest',
    actor,
    object: quoted,
    instrument: quoting,
  },
  ...(authorization === undefined ? {} : { result: authorization }),
});
