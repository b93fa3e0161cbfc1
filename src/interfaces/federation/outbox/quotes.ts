import type { QuoteAccepted, QuoteRevoked } from '#events/quotes.ts';
import type { StatusCreated } from '#events/statuses.ts';
import type { RecordedOf } from '#kernel/event.ts';
import type { Id } from '#kernel/ids.ts';
import { namedAccounts, namedPosts, postToSend } from '#queries/federation/index.ts';
import { PUBLIC } from '../documents/contexts.ts';
import { quoteAuthorizationUri, quoteRequest } from '../documents/quotes.ts';
import { type Outgoing, plainActivity } from './outgoing.ts';
import { changeOf } from './posts.ts';

type Created = RecordedOf<typeof StatusCreated>['data'];
/** A post and its quoted post. */
export type Quoting = Pick<Created, 'id' | 'account_id'> & { quote: { id: Id; account_id: Id } };

/** Returns the post if its quote waits for a remote author. */
export const waitingQuote = ({ id, account_id, local, quote }: Created): Quoting | undefined =>
  local && quote?.state === 'pending' ? { id, account_id, quote } : undefined;

/** Asks the remote author of the quoted post. */
export const request = (data: Created): Outgoing[] => {
  const quoting = waitingQuote(data);
  return quoting ? [requestFor(quoting, 0)] : [];
};

/** Asks for a quote; `tries` is the number of earlier requests. Sends nothing when there is an answer. */
export const requestFor = ({ id, account_id, quote }: Quoting, tries: number): Outgoing => ({
  sender: account_id,
  statusId: id,
  audience: { author: account_id, accounts: [quote.account_id] },
  compose: async (ctx) => {
    const [post, [quoted]] = await Promise.all([postToSend(ctx.db, id), namedPosts(ctx.db, [quote.id])]);
    if (!post || !quoted || post.quote === null || post.quote_authorization !== null) return undefined;
    return quoteRequest({ ...post, quote: post.quote }, quoted.author_uri, ctx.instance, tries);
  },
});

/** Sent to every server that has the post: its quote is now approved. */
export const approval = (
  { id, account_id }: RecordedOf<typeof QuoteAccepted>['data'],
  change: string,
): Outgoing[] => changeOf({ id, account_id }, change);

/**
 * Withdraws a quote authorization: sent to the server of the quoting post, to every server that has that post
 * from this one, and to the author's followers, who may have it. A local quoting post is sent again.
 */
export const revocation = (
  { id, account_id, quoted_account_id }: RecordedOf<typeof QuoteRevoked>['data'],
  change: string,
): Outgoing[] => [
  {
    sender: quoted_account_id,
    audience: { accounts: [account_id], receiversOf: id, followersOf: quoted_account_id },
    compose: async (ctx) => {
      const author = (await namedAccounts(ctx.db, [quoted_account_id])).get(quoted_account_id);
      if (author?.domain !== null || account_id === quoted_account_id) return undefined;
      const { uri: actor } = author;
      const authorization = quoteAuthorizationUri(actor, id);
      return plainActivity({
        id: `${authorization}#delete`,
        type: 'Delete',
        actor,
        to: [PUBLIC],
        object: authorization,
      });
    },
  },
  ...changeOf({ id, account_id }, change),
];
