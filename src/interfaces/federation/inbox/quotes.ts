import { hash } from 'node:crypto';
import { acceptQuote, refuseQuote } from '#commands/federation/index.ts';
import { statusStream } from '#events/statuses.ts';
import { type Id, isId } from '#kernel/ids.ts';
import {
  mayQuote,
  type NamedPost,
  namedPosts,
  ownIdIn,
  ownQuote,
  recipientsOf,
} from '#queries/federation/index.ts';
import { type AskedQuote, OWN_REQUEST, quoteAnswer, quoteAuthorizationUri } from '../documents/quotes.ts';
import { idOf, isObject, typesOf } from '../remote/json.ts';
import { postOf } from '../remote/post.ts';
import { checkQuoteAuthorization } from '../remote/quote-authorizations.ts';
import { RemoteError } from '../remote/remote-error.ts';
import {
  type ActivityContext,
  type Handler,
  seenPost,
  senderOf,
  trustedDocument,
} from './activity-context.ts';
import { featureAnswered, isFeatureAnswer } from './feature-answers.ts';
import { answerTo } from './follows.ts';
import { answeredInteraction, answerToInteraction } from './interaction-approvals.ts';
import { ownPost } from './interactions.ts';
import { keepRequested } from './kept-posts.ts';
import { assertAuthoredBySender } from './posts.ts';
import { answeredRelay } from './relays.ts';
import { handleThirdPartyAnswer, interactionElsewhere } from './third-party-answers.ts';

/**
 * Handles the request to quote a visible local post; its author's policy answers immediately. A withdrawn
 * authorization is not granted again. https://w3id.org/fep/044f
 */
export const quoteRequest: Handler = async (context) => {
  const { ctx, activity } = context;
  const uri = idOf(activity.object);
  // The sender is stored only if the post exists.
  if (uri === undefined || !(await ownPost(context, uri))) return;
  const post = assertAuthoredBySender(
    context,
    postOf(await trustedDocument(context, activity.document['instrument']), ctx.now, context),
  );
  if (post.quote?.uri !== uri) throw new RemoteError('asks for a quote that its post does not have');
  const accountId = await senderOf(context);
  const seen = await seenPost(context, uri, accountId);
  const [quoted] = seen ? await namedPosts(ctx.db, [seen.id]) : [];
  if (!quoted) return;
  const isAllowed = await mayQuote(ctx.db, quoted.id, accountId);
  const quotingId = isAllowed ? await keepRequested(context, post, accountId) : undefined;
  const isAccepted = quotingId !== undefined && (await acceptQuote(ctx, quotingId, quoted, null));
  await answer(context, { accountId, quoted, quoting: post.uri }, isAccepted ? quotingId : undefined);
};

interface Asking {
  accountId: Id;
  quoted: NamedPost;
  quoting: string;
}

/**
 * Sends the answer. `quotingId` is the local id of the post that may quote. The same answer to the same
 * request is queued once.
 */
async function answer(
  { ctx, activity }: ActivityContext,
  { accountId, quoted, quoting }: Asking,
  quotingId: Id | undefined,
): Promise<void> {
  const { author_uri: author, account_id: sender } = quoted;
  const { inboxes } = await recipientsOf(ctx, { accounts: [accountId], personally: true, author: sender });
  const asked: AskedQuote = { name: activity.id, actor: activity.actor, quoting, quoted: quoted.uri };
  const name = hash('sha256', JSON.stringify([asked, quotingId]));
  const authorization = quotingId === undefined ? undefined : quoteAuthorizationUri(author, quotingId);
  const document = quoteAnswer(`${author}#quote_answers/${name}`, author, asked, authorization);
  await ctx.services.deliveries.queue(
    {
      key: `quote-answer/${name}`,
      sender,
      statusId: null,
      document,
      // Later activities, such as a withdrawal, come after it.
      subject: quotingId === undefined ? `quote-answer-${name}` : statusStream(quotingId),
    },
    inboxes,
  );
}

/**
 * Handles `Accept` and `Reject` of a request by a local user (to follow, to quote, to interact with a post),
 * or of an interaction between remote servers.
 */
export const answered = (how: 'accept' | 'reject'): Handler => {
  const ofFollow = answerTo(how);
  return async (context) => {
    const { object } = context.activity;
    const isQuote = isObject(object)
      ? typesOf(object).includes('QuoteRequest')
      : OWN_REQUEST.test(idOf(object) ?? '');
    if (isQuote) return ofQuote(context, how);
    if (isFeatureAnswer(context)) return featureAnswered(context, how);
    const interactionId = answeredInteraction(context);
    if (interactionId !== undefined) return answerToInteraction(context, how, interactionId);
    if (await answeredRelay(context, how)) return;
    const elsewhere = interactionElsewhere(context);
    await (elsewhere === undefined ? ofFollow(context) : handleThirdPartyAnswer(context, how, elsewhere));
  };
};

/**
 * Applies the answer to a quote by a local user. Only the author of the quoted post may answer, and the
 * authorization is verified.
 */
async function ofQuote(context: ActivityContext, how: 'accept' | 'reject'): Promise<void> {
  const { ctx, known, activity } = context;
  const quotingId = quotingIn(context);
  const quote = known && quotingId !== undefined && (await ownQuote(ctx.db, quotingId, known.id));
  if (!known || !quote) return;
  const { object } = activity;
  if (isObject(object) && (idOf(object['object']) ?? quote.quoted_uri) !== quote.quoted_uri) return;
  const quoted = {
    id: quote.quoted_id,
    uri: quote.quoted_uri,
    account_id: known.id,
    author_uri: activity.actor,
  };
  if (how === 'reject') {
    await refuseQuote(ctx, { quotingId: quote.id, quoted });
    return;
  }
  const authorization = idOf(activity.document['result']);
  if (authorization !== undefined) await checkQuoteAuthorization(context, quote, quoted, authorization);
}

/** Returns the local post that a request is about. */
function quotingIn({ activity: { object }, instance }: ActivityContext): Id | undefined {
  const quoting = isObject(object) ? idOf(object['instrument']) : undefined;
  if (quoting !== undefined) return ownIdIn(quoting, instance) ?? undefined;
  const id = OWN_REQUEST.exec(idOf(object) ?? '')?.[1];
  return id !== undefined && isId(id) ? id : undefined;
}
