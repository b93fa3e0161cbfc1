import { stampedQuote } from '../../../queries/federation/index.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { actorOf } from './actors.ts';
import { documentReply, type Answer, type Asked } from './answer.ts';
import { stampDocument, stampUri } from './documents/quotes.ts';

/** `GET /users/:username/quote_authorizations/:id`: the stamp of a quote, as long as its author allows it. */
export async function showStamp(asked: Asked): Promise<Answer> {
  const id = asked.params['id'] ?? '';
  const { id: authorId, uri } = await actorOf(asked);
  const quote = isId(id) ? await stampedQuote(asked.ctx.db, id, authorId) : undefined;
  if (!quote) throw notFound();
  return documentReply(stampDocument(stampUri(uri, id), uri, quote));
}
