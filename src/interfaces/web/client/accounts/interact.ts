import { buttonLink } from '#interfaces/web/design/components.ts';
import { handleField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { handleOf } from '#interfaces/web/entities/addresses.ts';
import { byline } from '#interfaces/web/entities/byline.ts';
import { type Interaction, INTERACTIONS } from '#interfaces/web/entities/interact.ts';
import { wholeStatus } from '#interfaces/web/entities/status.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { signInThen } from '#interfaces/web/page/layout.ts';
import {
  type Fields,
  openPage,
  type Tried,
  type WebRequest,
  type WebResponse,
} from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import type { Account, Status } from '#mastodon/schemas/index.ts';
import { addressAtHome, homeIn } from './remote-follow.ts';

const PATH = '/interact';
/** UTF-16 units. */
const MAX_URI = 2_048;

interface Asked {
  uri: string;
  kind: Interaction;
}

/** `/interact?uri=&kind=`: leads visitors to the server where they have an account. */
export const interactPage = openPage({
  path: PATH,
  show: async (request, tried) => {
    const asked = askedIn(tried ? tried.fields : Object.fromEntries(request.query));
    if (request.user) return { redirect: hereTo(asked) };
    return page(request, asked, await thingAt(request, asked.uri), tried);
  },
  submit: async (request, fields) => {
    const { ctx, services } = request;
    const asked = askedIn(fields);
    const home = homeIn((fields['home'] ?? '').slice(0, MAX_URI));
    if (!home) throw invalid('Enter a handle such as you@mastodon.example, or the name of your server.');
    if (home.host === ctx.instance.domain || home.host === new URL(ctx.instance.origin).host) {
      return { redirect: signInThen(hereTo(asked)) };
    }
    // Only what this server shows to strangers is passed on.
    await thingAt(request, asked.uri);
    await services.limitAddress('sign_in', ctx.ip);
    const redirect = await addressAtHome(ctx, home, asked);
    if (redirect === undefined) {
      throw invalid(`${home.host} did not say where its users can follow or interact. Is the handle right?`);
    }
    return { redirect };
  },
});

/** @throws RookeryError `not_found` for another kind, or without an address */
function askedIn({ uri = '', kind = '' }: Fields): Asked {
  const known = INTERACTIONS.find((each) => each === kind);
  if (!known || uri === '' || uri.length > MAX_URI) throw notFound();
  return { uri, kind: known };
}

/** Users of this server continue here. */
const hereTo = ({ uri }: Asked): string => `/authorize_interaction?uri=${encodeURIComponent(uri)}`;

interface Thing {
  account: Account;
  status?: Status;
}

const ACCOUNT = /^\/(?:users\/|@)([A-Za-z0-9_.-]+)$/;
const STATUS = /^\/(?:users\/[A-Za-z0-9_.-]+\/statuses|@[A-Za-z0-9_.-]+)\/(\d+)$/;

/** Returns what has this address here, as strangers see it. @throws RookeryError `not_found` */
async function thingAt(request: WebRequest, uri: string): Promise<Thing> {
  const url = URL.parse(uri);
  if (url?.origin !== request.ctx.instance.origin || url.username !== '') throw notFound();
  const acct = ACCOUNT.exec(url.pathname)?.[1];
  if (acct !== undefined) {
    const { entity } = await request.api('GET v1/accounts/lookup', { query: { acct } });
    if (entity.suspended === true) throw notFound();
    return { account: entity };
  }
  const id = STATUS.exec(url.pathname)?.[1] ?? '';
  if (!isId(id)) throw notFound();
  const { entity } = await request.api('GET v1/statuses/:id', { params: { id } });
  return { account: entity.account, status: entity };
}

const TITLES: Record<Interaction, (handle: string) => string> = {
  follow: (handle) => `Follow ${handle}`,
  reply: (handle) => `Reply to ${handle}`,
  reblog: (handle) => `Boost a post by ${handle}`,
  favourite: (handle) => `Favourite a post by ${handle}`,
};

function page(request: WebRequest, asked: Asked, thing: Thing, tried: Tried | undefined): WebResponse {
  const { account } = thing;
  const title = TITLES[asked.kind](handleOf(account, request.ctx.instance));
  return {
    title,
    hidden: true,
    leadsElsewhere: true,
    body: html`<section class="box about-person">
        <h1>${title}</h1>
        ${problemBox(tried)} ${!thing.status && html`<p>${byline(account, viewOf(request))}</p>`}
        ${atHome(request, asked, tried)}
        <h2>On this server</h2>
        <div class="buttons">
          ${buttonLink(signInThen(hereTo(asked)), 'Sign in', { look: 'plain' })}
          ${buttonLink('/auth/sign_up', 'Sign up', { look: 'plain' })}
        </div>
      </section>
      ${thing.status && html`<div class="feed">${wholeStatus(thing.status, viewOf(request))}</div>`}`,
  };
}

function atHome(request: WebRequest, asked: Asked, tried: Tried | undefined): Html {
  const field = {
    name: 'home',
    label: 'Your handle or server',
    hint: 'Such as you@mastodon.example or mastodon.example. You continue there.',
    value: tried?.fields['home'] ?? '',
    focus: true,
  };
  return html`<h2>With an account elsewhere</h2>
    ${form(request, html`${handleField(field)} ${button('Continue')}`, { hidden: { ...asked } })}`;
}
