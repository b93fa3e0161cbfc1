import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { icon, type IconName } from '#interfaces/web/design/icons.ts';
import { statusPath, webAddress } from '#interfaces/web/entities/addresses.ts';
import { mayBoost } from '#interfaces/web/entities/status-actions.ts';
import { quotedIn } from '#interfaces/web/entities/status-parts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import type { Status } from '#mastodon/schemas/index.ts';

/** One choice of a list: a link, or a button that acts. */
interface Choice {
  text: Part;
  icon: IconName;
  href?: string;
  /** The endpoint of a button, below `/web/v1/`, and its one field. */
  act?: string;
  field?: readonly [name: string, value: string];
  danger?: true;
  /** It is the present state. */
  chosen?: boolean;
}

export interface Choices {
  title: string;
  choices: readonly Choice[];
}

const when = <T>(condition: boolean, ...items: readonly T[]): readonly T[] => (condition ? items : []);

/** Returns what the user can do with a post, in groups. */
export function choicesFor(status: Status, view: View, { translates }: { translates: boolean }): Choices[] {
  const own = status.account.id === view.user?.id;
  return [
    { title: 'This post', choices: forAll(status, view, translates) },
    ...(own ? [{ title: 'Your post', choices: forOwn(status) }, ...quotePolicy(status)] : []),
    ...quotedByAuthor(status, view),
    ...(own ? [] : [{ title: `@${status.account.acct}`, choices: aboutAuthor(status) }]),
  ];
}

function forAll(status: Status, view: View, translates: boolean): Choice[] {
  const { id, muted, edited_at, url, uri, account } = status;
  const page = statusPath(status);
  const original = account.acct.includes('@') ? (webAddress(url) ?? webAddress(uri)) : undefined;
  const boost = `statuses/${id}/reblog`;
  return [
    { text: 'Open this post', icon: 'message-circle', href: page },
    { text: 'Reply', icon: 'reply', href: `/publish?in_reply_to_id=${id}` },
    ...when<Choice>(
      mayBoost(status, view) && status.reblogged !== true,
      { text: 'Boost for everyone', icon: 'repeat-2', act: boost, field: ['visibility', 'public'] },
      { text: 'Boost as quiet public', icon: 'moon', act: boost, field: ['visibility', 'unlisted'] },
      { text: 'Boost for your followers only', icon: 'lock', act: boost, field: ['visibility', 'private'] },
    ),
    ...when<Choice>(status.reblogged === true, {
      text: 'Undo boost',
      icon: 'repeat-2',
      act: `statuses/${id}/unreblog`,
    }),
    ...quoteChoice(status),
    ...when<Choice>(translates, { text: 'Translate', icon: 'languages', href: `${page}?translate=1` }),
    ...when<Choice>(edited_at !== null, {
      text: 'History of edits',
      icon: 'history',
      href: `${page}/history`,
    }),
    ...when<Choice>(original !== undefined, {
      text: `Open original page at ${URL.parse(original ?? '')?.host ?? ''}`,
      icon: 'external-link',
      href: original ?? '',
    }),
    muted === true
      ? { text: 'Unmute conversation', icon: 'bell', act: `statuses/${id}/unmute` }
      : { text: 'Mute conversation', icon: 'volume-x', act: `statuses/${id}/mute` },
    { text: 'Filter this post', icon: 'funnel', href: `/filters/status/${id}` },
  ];
}

/** Offers a quote unless the policy denies it; `manual` asks the author first. */
function quoteChoice({ id, quote_approval: { current_user: may } }: Status): readonly Choice[] {
  const href = `/publish?quoted_status_id=${id}`;
  return when<Choice>(may === 'automatic' || may === 'manual', {
    text: may === 'manual' ? 'Request to quote' : 'Quote',
    icon: 'quote',
    href,
  });
}

function forOwn(status: Status): Choice[] {
  const { id, pinned, visibility } = status;
  const page = statusPath(status);
  return [
    ...when<Choice>(
      visibility !== 'direct',
      pinned === true
        ? { text: 'Unpin from profile', icon: 'pin', act: `statuses/${id}/unpin` }
        : { text: 'Pin on profile', icon: 'pin', act: `statuses/${id}/pin` },
    ),
    { text: 'Edit', icon: 'pencil', href: `${page}/edit` },
    { text: 'Delete', icon: 'trash-2', href: `${page}/delete`, danger: true },
    { text: 'Delete & re-draft', icon: 'trash-2', href: `${page}/delete?redraft=1`, danger: true },
  ];
}

const POLICIES = [
  { value: 'public', text: 'Anyone can quote', icon: 'globe' },
  { value: 'followers', text: 'Followers can quote', icon: 'users' },
  { value: 'nobody', text: 'Just you can quote', icon: 'lock' },
] as const;

/** Only public posts can be quoted by others. */
function quotePolicy({ id, visibility, quote_approval: { automatic } }: Status): Choices[] {
  if (visibility !== 'public' && visibility !== 'unlisted') return [];
  const present = automatic.includes('public')
    ? 'public'
    : automatic.includes('followers')
      ? 'followers'
      : 'nobody';
  const choices = POLICIES.map(({ value, text, icon: name }): Choice => ({
    text,
    icon: name,
    act: `statuses/${id}/interaction_policy/put`,
    field: ['quote_approval_policy', value],
    chosen: value === present,
  }));
  return [{ title: 'Who can quote', choices }];
}

/** The user may take their own post out of another one that quotes it. */
function quotedByAuthor(status: Status, { user }: View): Choices[] {
  const quoted = quotedIn(status);
  if (!quoted || quoted.account.id !== user?.id || status.account.id === user.id) return [];
  const href = `${statusPath(status)}/revoke_quote`;
  return [
    {
      title: 'Your quoted post',
      choices: [{ text: 'Remove your post from this quote', icon: 'x', href, danger: true }],
    },
  ];
}

function aboutAuthor({ id, account: { acct } }: Status): Choice[] {
  const at = `@${acct}`;
  const about = (text: string, name: IconName, href: string): Choice => ({
    text: html`${text} <bdi dir="ltr">${at}</bdi>`,
    icon: name,
    href,
  });
  return [
    about('Open the profile of', 'user', `/${at}`),
    about('Mention', 'at-sign', `/publish?text=${encodeURIComponent(`${at} `)}`),
    about('Mute', 'volume-x', `/${at}/mute`),
    { ...about('Block', 'ban', `/${at}/block`), danger: true },
    { ...about('Report', 'flag', `/${at}/report?status_id=${id}`), danger: true },
  ];
}

/** Renders the groups. */
export const choiceLists = (groups: readonly Choices[]): Html =>
  html`${groups.map(
    ({ title, choices }) =>
      html`<h2 class="choices-title" dir="auto">${title}</h2>
        <ul class="choices">
          ${choices.map((each) => html`<li>${control(each)}</li>`)}
        </ul>`,
  )}`;

function control({ text, icon: name, href, act, field, danger, chosen }: Choice): Html {
  const look = danger && html`class="danger"`;
  if (href !== undefined) {
    const far = /^https?:/.test(href) && html`rel="nofollow noopener noreferrer"`;
    return html`<a href="${href}" ${look} ${far}>${icon(name)}<span>${text}</span></a>`;
  }
  return html`<button
    form="act"
    formaction="/web/v1/${act}"
    ${field && html`name="${field[0]}" value="${field[1]}"`}
    ${look}
    ${chosen !== undefined && html`aria-pressed="${String(chosen)}"`}
  >
    ${icon(name)}<span>${text}</span>${chosen && icon('check')}
  </button>`;
}
