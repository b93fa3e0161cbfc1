import { buttonLink, emptyState, pageHead } from '#interfaces/web/design/components.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button, form, problemBox } from '#interfaces/web/page/forms.ts';
import { noticeBox, saying } from '#interfaces/web/page/notices.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '#interfaces/web/page/page.ts';
import { olderLink, placeIn } from '#interfaces/web/page/paging.ts';
import { hereOf } from '#interfaces/web/page/request-view.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { domainBlockEffects } from './confirmations.ts';
import { offeringUndo, undoBox } from './undo.ts';

const PATH = '/domain_blocks';
const NEW = `${PATH}/new`;
/** UTF-16 units. */
const MAX_DOMAIN = 1_000;
const NOTHING = { icon: 'server', text: 'There are no blocked domains yet.' } as const;

/** `/domain_blocks`: the servers that the user blocks. */
export const domainBlocksPage = userPage({
  path: PATH,
  show: async (request, tried) => {
    const { entity, next } = await request.api('GET v1/domain_blocks', { query: placeIn(request.query) });
    const here = hereOf(request);
    return {
      title: 'Blocked domains',
      hidden: true,
      body: html`${pageHead('Blocked domains', buttonLink(NEW, 'Block a domain', { look: 'plain', icon: 'plus' }))}
      ${noticeBox(request)} ${problemBox(tried)} ${undoOf(request)}
      ${
        entity.length === 0
          ? emptyState(NOTHING)
          : html`<ul class="feed">
              ${entity.map((domain) => item(domain, here))}
            </ul>`
      }
      ${olderLink(request, next)}`,
    };
  },
  submit: async (request, { domain = '' }) => {
    await request.api('DELETE v1/domain_blocks', { body: { domain } });
    return { redirect: offeringUndo(request, domain) };
  },
});

const item = (domain: string, here: string): Html =>
  html`<li class="person-head">
    <bdi dir="ltr">${domain}</bdi>
    <button
      form="act"
      formaction="${here}"
      class="plain small"
      name="domain"
      value="${domain}"
      aria-label="Unblock: ${domain}"
    >
      Unblock
    </button>
  </li>`;

function undoOf({ query }: SignedInRequest): Html | false {
  const domain = canonicalDomain(query.get('undo') ?? '');
  return (
    domain !== undefined &&
    domain !== '' &&
    undoBox(html`You unblocked <bdi dir="ltr">${domain}</bdi>.`, {
      path: 'domain_blocks',
      label: 'Block again',
      domain,
    })
  );
}

/** `/domain_blocks/new?domain=`: asks for a domain, then shows what blocking it does. */
export const newDomainBlockPage = userPage({
  path: NEW,
  show: (request, tried) => {
    const given = (tried?.fields['domain'] ?? request.query.get('domain') ?? '').trim().slice(0, MAX_DOMAIN);
    const domain = canonicalDomain(given);
    if (given === '' || domain === undefined || domain === '') return asking(given, tried);
    return confirming(request, domain, tried);
  },
  submit: async (request, { domain = '' }) => {
    await request.api('POST v1/domain_blocks', { body: { domain } });
    return { redirect: saying(PATH, 'domain_blocked') };
  },
});

const NO_DOMAIN = 'This is not a valid domain name.';

function asking(given: string, tried?: Tried): WebResponse {
  const wrong = given === '' ? [] : [NO_DOMAIN];
  const field = {
    name: 'domain',
    label: 'Domain',
    autocomplete: 'off',
    hint: 'The name of the other server, such as mastodon.example.',
    value: given,
    problems: wrong,
  };
  return {
    title: 'Block a domain',
    hidden: true,
    ...(wrong.length > 0 && !tried && { status: 422 }),
    body: html`<section class="box">
      <h1>Block a domain</h1>
      ${problemBox(tried ?? (wrong.length > 0 ? { problems: wrong, fields: {} } : undefined))}
      <form action="${NEW}" class="fill-in">
        ${textField(field, MAX_DOMAIN)}
        <div class="buttons">${button('Next')} ${buttonLink(PATH, 'Cancel', { look: 'plain' })}</div>
      </form>
    </section>`,
  };
}

async function confirming(request: SignedInRequest, domain: string, tried?: Tried): Promise<WebResponse> {
  const title = `Block the domain ${domain}?`;
  return {
    title,
    hidden: true,
    body: html`<section class="box about-person">
      <h1>${title}</h1>
      ${problemBox(tried)} ${await domainBlockEffects(request, domain)}
      ${form(
        request,
        html`<div class="buttons">
          ${button('Block domain', 'danger')} ${buttonLink(PATH, 'Cancel', { look: 'plain' })}
        </div>`,
        { hidden: { domain } },
      )}
    </section>`,
  };
}
