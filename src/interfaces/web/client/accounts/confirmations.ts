import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { handleOf, profilePath } from '#interfaces/web/entities/addresses.ts';
import { hostOfAccount } from '#interfaces/web/entities/person.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest, WebPage } from '#interfaces/web/page/page.ts';
import type { Person } from './account.ts';
import { backTo, personPage } from './person-page.ts';

const asking = (request: SignedInRequest, { account }: Person, text: Part, label: string): Html =>
  html`${text}
  ${form(
    request,
    html`<div class="buttons">
      ${button(label, 'danger')} ${buttonLink(profilePath(account), 'Cancel', { look: 'plain' })}
    </div>`,
  )}`;

const handle = ({ ctx }: SignedInRequest, { account }: Person): string => handleOf(account, ctx.instance);

/** `/@:name/unfollow`: only for accounts that must accept a new follow. */
export const unfollowPage = personPage({
  path: 'unfollow',
  title: () => 'Unfollow this account?',
  content: (request, person) =>
    asking(
      request,
      person,
      html`<p>
        This account approves its followers. To follow <strong dir="ltr">${handle(request, person)}</strong>
        again, you have to ask again.
      </p>`,
      'Unfollow',
    ),
  submit: async ({ request, person }) => {
    await call(request, person, 'POST v1/accounts/:id/unfollow');
    return backTo(person, 'unfollowed');
  },
});

/** `/@:name/block` */
export const blockPage = personPage({
  path: 'block',
  title: () => 'Block this account?',
  content: (request, person) =>
    asking(
      request,
      person,
      html`<ul>
        <li>They can't follow you or see your posts, and they can see that they're blocked.</li>
        <li>You won't see their posts or notifications, and follows between you end in both directions.</li>
        <li>Posts that mention them don't appear in your home.</li>
      </ul>`,
      'Block',
    ),
  submit: async ({ request, person }) => {
    await call(request, person, 'POST v1/accounts/:id/block');
    return backTo(person, 'blocked');
  },
});

/** `/@:name/remove_from_followers` */
export const removeFollowerPage = personPage({
  path: 'remove_from_followers',
  title: () => 'Remove this follower?',
  content: (request, person) =>
    asking(
      request,
      person,
      html`<p>
        <strong dir="ltr">${handle(request, person)}</strong> will stop following you. They are not told, and
        they can follow you again unless you approve your followers.
      </p>`,
      'Remove follower',
    ),
  submit: async ({ request, person }) => {
    await call(request, person, 'POST v1/accounts/:id/remove_from_followers');
    return backTo(person, 'follower_removed');
  },
});

/** `/@:name/block_domain` */
export const blockDomainPage: WebPage = personPage({
  path: 'block_domain',
  title: ({ account }) => `Block the domain ${hostOfAccount(account)}?`,
  isFor: ({ account }) => hostOfAccount(account) !== '',
  content: async (request, person) => {
    const domain = hostOfAccount(person.account);
    return asking(request, person, await domainBlockEffects(request, domain), 'Block domain');
  },
  submit: async ({ request, person }) => {
    const domain = hostOfAccount(person.account);
    await request.api('POST v1/domain_blocks', { body: { domain } });
    return backTo(person, 'domain_blocked');
  },
});

/** Says what blocking a domain does, with the number of follows that it ends. */
export async function domainBlockEffects(request: SignedInRequest, domain: string): Promise<Html> {
  const { entity } = await request.api('GET v1/domain_blocks/preview', { query: { domain } });
  const { following_count, followers_count } = entity;
  return html`<ul>
      <li>You won't see posts or notifications from users on <strong dir="ltr">${domain}</strong>.</li>
      <li>No one from this server can follow you.</li>
      <li>You can't follow accounts on this server.</li>
    </ul>
    <p>
      ${
        following_count + followers_count === 0
          ? 'You have no followers and no follows there.'
          : html`<strong
                >You will lose ${counted(followers_count, 'follower')} and
                ${counted(following_count, 'account')} that you follow.</strong
              >
              Unblocking the domain does not bring them back.`
      }
    </p>`;
}

const call = (
  request: SignedInRequest,
  { account: { id } }: Person,
  name: `POST v1/accounts/:id/${'unfollow' | 'block' | 'remove_from_followers'}`,
): Promise<unknown> => request.api(name, { params: { id } });
