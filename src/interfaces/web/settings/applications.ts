import { notFound } from '#kernel/errors.ts';
import { isId, LARGEST_ID } from '#kernel/ids.ts';
import { describeScopes } from '#mastodon/scopes.ts';
import { type AuthorizedApplication, authorizedApplications } from '#queries/apps/index.ts';
import { appsOf, instanceFacts } from '#queries/instance/index.ts';
import { type Html, html } from '../design/html.ts';
import { webAddress } from '../entities/addresses.ts';
import { day } from '../entities/texts.ts';
import { form } from '../page/forms.ts';
import { settingsPage } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { type SignedInRequest, type Tried, userPage, type WebResponse } from '../page/page.ts';
import { appList } from '../public/app-list.ts';
import { pageLinks, pageParametersIn } from '../public/page-request.ts';

const APPLICATIONS = '/settings/applications';
const PAGE = 20;

/** The apps that may use the account, with a button that revokes each. Their last use is not recorded. */
export const applicationsPage = userPage({
  path: APPLICATIONS,
  show: showApplications,
  submit: async ({ ctx, user }, { application_id: id = '' }) => {
    if (!isId(id)) throw notFound();
    await ctx.services.tokens.revokeApplication(user.account_id, id);
    return { redirect: saying(APPLICATIONS, 'revoked') };
  },
});

async function showApplications(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx, user, query } = request;
  const before = pageParametersIn(query)['max_id'] ?? LARGEST_ID;
  const found = await authorizedApplications(ctx.db, user.account_id, { before, limit: PAGE + 1 });
  const shown = found.slice(0, PAGE);
  const next = found.length > PAGE ? shown.at(-1)?.id : undefined;
  const offered = appList(appsOf((await instanceFacts(ctx)).settings, ctx.instance));
  const boxes = [
    shown.length === 0 &&
      html`<p>No app may use your account${'max_id' in pageParametersIn(query) && ' here'}.</p>`,
    ...shown.map((application) => applicationBox(request, application)),
    pageLinks(APPLICATIONS, query, next),
    offered !== false &&
      html`<h2>More apps</h2>
        ${offered}`,
  ];
  return settingsPage(request, 'Apps', boxes, tried);
}

function applicationBox(
  request: SignedInRequest,
  { id, name, website, scopes, since }: AuthorizedApplication,
): Html {
  const address = webAddress(website);
  return html`<h2>${name}</h2>
    ${address !== undefined && html`<p><a href="${address}" rel="noopener noreferrer nofollow">${address}</a></p>`}
    <p class="quiet">Since ${day(since)}.</p>
    ${describeScopes(scopes).map(
      ({ title, dangerous, descriptions }) =>
        html`<h3>${title}${dangerous && ' (dangerous)'}</h3>
          <ul>
            ${descriptions.map((text) => html`<li>${text}</li>`)}
          </ul>`,
    )}
    ${form(
      request,
      html`<button type="submit" class="plain" aria-label="${`Revoke ${name}`}">Revoke</button>`,
      { hidden: { application_id: id } },
    )}`;
}
