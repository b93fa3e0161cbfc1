import { ownPath } from '#interfaces/web/page/own-path.ts';
import type { SignedInRequest, WebRequest } from '#interfaces/web/page/page.ts';
import { isListedCode } from '#mastodon/languages.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import { type Desk, deskFor, referred } from './desk.ts';
import { type Draft, EMPTY } from './draft.ts';

/** From the widest audience to the narrowest. */
const AUDIENCE_ORDER: readonly string[] = ['public', 'unlisted', 'private', 'direct'];

/** Returns the composer that an address asks for: empty, with a text, a mention, a reply or a quote. */
export async function deskOfAddress(request: SignedInRequest): Promise<Desk> {
  const { query, ctx } = request;
  const given = (name: string): string => query.get(name) ?? '';
  const asked: Draft = {
    ...EMPTY,
    text: given('text'),
    visibility: AUDIENCE_ORDER.includes(given('visibility')) ? given('visibility') : '',
    inReplyTo: given('in_reply_to_id'),
    quoted: given('quoted_status_id'),
    key: ctx.newId(),
    returnTo: ownPath(given('return_to')) ?? '',
  };
  const [parent, filled] = await Promise.all([
    referred(request, asked.inReplyTo),
    withDefaults(request, asked),
  ]);
  const mention = mentionOf(given('mention'));
  const addressed = mention === '' ? filled : { ...filled, text: `${mention} ${filled.text}` };
  const answering =
    typeof parent === 'object' ? replying(addressed, parent, request.user.account_id) : addressed;
  return deskFor(request, answering);
}

/** Fills in the defaults of the user where a draft says nothing. */
export async function withDefaults(request: WebRequest, draft: Draft): Promise<Draft> {
  const { visibility, language, sensitive, quotePolicy } = draft;
  if (![visibility, language, quotePolicy].includes('') && sensitive !== undefined) return draft;
  const { entity } = await request.api('GET v1/preferences');
  return {
    ...draft,
    visibility: visibility || entity['posting:default:visibility'],
    language: language || (entity['posting:default:language'] ?? ''),
    sensitive: sensitive ?? entity['posting:default:sensitive'],
    quotePolicy: quotePolicy || entity['posting:default:quote_policy'],
  };
}

/** Addresses the author and those mentioned, in the language and under the warning of the parent, to no more people. */
function replying(draft: Draft, parent: Status, me: string): Draft {
  const { account, mentions, spoiler_text, visibility, language } = parent;
  const others = [account, ...mentions].filter(({ id }) => id !== me).map(({ acct }) => `@${acct}`);
  const widest = Math.max(AUDIENCE_ORDER.indexOf(draft.visibility), AUDIENCE_ORDER.indexOf(visibility));
  return {
    ...draft,
    text: [...new Set(others), draft.text].join(' '),
    warning: spoiler_text,
    visibility: AUDIENCE_ORDER[widest] ?? draft.visibility,
    language: language !== null && isListedCode(language) ? language : draft.language,
  };
}

const mentionOf = (text: string): string =>
  /^@?[^\s@]{1,200}(?:@[^\s@]{1,255})?$/.test(text) ? `@${text.replace(/^@/, '')}` : '';
