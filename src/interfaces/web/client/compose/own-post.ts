import type { SignedInRequest, WebRequest } from '#interfaces/web/page/page.ts';
import type { PathParams } from '#kernel/endpoint.ts';
import { notFound } from '#kernel/errors.ts';
import type { Status, StatusSource } from '#mastodon/schemas/index.ts';
import { type Draft, EMPTY } from './draft.ts';
import { nearestDuration } from './poll-fields.ts';

/** The parameters of an address `/@:name/:id/...`. */
export type AtPost = PathParams<'/@:name/:id'>;

/** Reads the post of an address `/@:name/:id/...`. @throws RookeryError `not_found` also when the name is another one */
export async function postOfAddress({
  api,
  params,
}: Pick<WebRequest<AtPost>, 'api' | 'params'>): Promise<Status> {
  const { name, id } = params;
  const { entity } = await api('GET v1/statuses/:id', { params: { id } });
  if (entity.account.acct.toLowerCase() !== name.toLowerCase() || entity.reblog) throw notFound();
  return entity;
}

/** Reads a post of the user with its source. @throws RookeryError `not_found` for posts of others */
export async function ownPost(
  request: SignedInRequest<AtPost>,
): Promise<{ status: Status; source: StatusSource }> {
  const status = await postOfAddress(request);
  if (status.account.id !== request.user.account_id) throw notFound();
  const params = { id: status.id };
  const { entity: source } = await request.api('GET v1/statuses/:id/source', { params });
  return { status, source };
}

/** A post with the text of its source instead of its HTML. */
type Written = Omit<Status, 'content'> & { text: string };

/** Returns a post as a draft, to write it again. */
export const draftOfPost = (post: Written, own: Pick<Draft, 'key' | 'returnTo'>): Draft => ({
  ...EMPTY,
  ...own,
  text: post.text,
  warning: post.spoiler_text,
  visibility: post.visibility,
  language: post.language ?? '',
  sensitive: post.sensitive,
  media: post.media_attachments.map(({ id }) => id),
  poll: pollOf(post),
  inReplyTo: post.in_reply_to_id ?? '',
  quoted: quotedBy(post),
  quotePolicy: policyOf(post),
});

const policyOf = ({ quote_approval: { automatic } }: Written): string =>
  (['public', 'followers'] as const).find((each) => automatic.includes(each)) ?? 'nobody';

function pollOf({ poll, created_at }: Written): Draft['poll'] {
  if (!poll) return undefined;
  const { options, multiple, expires_at } = poll;
  const seconds = expires_at === null ? 86_400 : (Date.parse(expires_at) - Date.parse(created_at)) / 1_000;
  return {
    options: options.map(({ title }) => title),
    expiresIn: String(nearestDuration(seconds)),
    multiple,
    hideTotals: options.some(({ votes_count }) => votes_count === null),
  };
}

function quotedBy({ quote }: Written): string {
  if (!quote) return '';
  return ('quoted_status' in quote ? quote.quoted_status?.id : quote.quoted_status_id) ?? '';
}
