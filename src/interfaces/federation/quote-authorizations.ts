import { notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { authorizedQuote } from '#queries/federation/index.ts';
import { actorOf } from './actors.ts';
import { documentReply, type DocumentRequest, type DocumentResponse } from './answer.ts';
import { quoteAuthorizationDocument, quoteAuthorizationUri } from './documents/quotes.ts';

/**
 * `GET /users/:username/quote_authorizations/:id`: the authorization of a quote, while the quoted author
 * allows it.
 */
export async function showQuoteAuthorization(asked: DocumentRequest): Promise<DocumentResponse> {
  const id = asked.params['id'] ?? '';
  const { id: authorId, uri } = await actorOf(asked);
  const quote = isId(id) ? await authorizedQuote(asked.ctx.db, id, authorId) : undefined;
  if (!quote) throw notFound();
  return documentReply(quoteAuthorizationDocument(quoteAuthorizationUri(uri, id), uri, quote));
}
