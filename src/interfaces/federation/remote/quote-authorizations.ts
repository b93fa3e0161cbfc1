import { acceptQuote, proposeQuote } from '#commands/federation/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import type { Id } from '#kernel/ids.ts';
import { type NamedPost, namedPosts } from '#queries/federation/index.ts';
import type { RemoteDocuments } from './documents.ts';
import { type Foreign, idOf, typesOf } from './json.ts';
import type { ForeignQuote } from './post.ts';
import { recheckQuoteLater } from './quote-authorization-job.ts';
import { isRemoteError, RemoteError } from './remote-error.ts';

/** The context for verifying quote authorizations. */
export interface VerificationContext {
  ctx: CommandContext;
  documents: RemoteDocuments;
  signal: AbortSignal;
  /** The number of earlier repeats; the default is 0. */
  tries?: number;
}

/** A quoting post. */
export interface Quoting {
  id: Id;
  uri: string;
  account_id: Id;
}

/**
 * Decides about the quote in a remote post. Authors may quote themselves. Quotes of local posts are decided
 * when the request arrives, so the post's own claim counts for nothing. For all others the authorization is
 * verified.
 * @throws RemoteError, FetchError
 */
export async function verifyQuote(
  looking: VerificationContext,
  quoting: Quoting,
  { authorization }: ForeignQuote,
  quotedId: Id,
): Promise<void> {
  const [quoted] = await namedPosts(looking.ctx.db, [quotedId]);
  if (!quoted) return;
  if (quoted.account_id === quoting.account_id) await acceptQuote(looking.ctx, quoting.id, quoted, null);
  else if (!quoted.local && authorization !== null)
    await checkQuoteAuthorization(looking, quoting, quoted, authorization);
}

/**
 * Accepts a quote whose authorization exists at the origin of the quoted post's author, and says so: no other
 * statement counts (GHSA-8h43-rcqj-wpc6). The authorization is noted, and visible in the read models, before
 * it is fetched. So a concurrent withdrawal is either not found any more, or finds the quote
 * (GHSA-q4g8-82c5-9h33): the result is the same in any order. An unreachable authorization is tried again
 * later.
 * @throws RemoteError, FetchError
 */
export async function checkQuoteAuthorization(
  { ctx, documents, signal, tries = 0 }: VerificationContext,
  quoting: Pick<Quoting, 'id' | 'uri'>,
  quoted: Pick<NamedPost, 'id' | 'uri' | 'account_id' | 'author_uri'>,
  authorization: string,
): Promise<void> {
  if (documents.assertForeign(authorization).origin !== new URL(quoted.author_uri).origin) {
    throw new RemoteError('names an authorization that is not of the author of the quoted post');
  }
  if (!(await proposeQuote(ctx, quoting.id, quoted, authorization))) return;
  const found = await documents.get(authorization, signal).catch(async (error: unknown) => {
    // Some servers send the quote before they serve its authorization.
    if (isRemoteError(error)) await recheckQuoteLater(ctx, quoting.id, tries);
    throw error;
  });
  if (found.id !== authorization || !allows(found.document, quoting.uri, quoted)) {
    throw new RemoteError('names an authorization that does not allow the quote');
  }
  await acceptQuote(ctx, quoting.id, quoted, authorization);
}

const allows = (
  document: Foreign,
  quotingUri: string,
  { uri, author_uri }: Pick<NamedPost, 'uri' | 'author_uri'>,
): boolean =>
  typesOf(document).includes('QuoteAuthorization') &&
  idOf(document['attributedTo']) === author_uri &&
  idOf(document['interactingObject']) === quotingUri &&
  idOf(document['interactionTarget']) === uri;
