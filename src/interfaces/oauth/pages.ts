import { createHash } from 'node:crypto';
import { describeScopes, type ScopeSection } from '#mastodon/scopes.ts';
import { documentWith } from '../web/design/document.ts';
import { codeField, signInFields } from '../web/design/fields.ts';
import { type Html, html, trusted } from '../web/design/html.ts';
import { LOGO } from '../web/design/logo.ts';
import { type OAuthClient, OUT_OF_BAND } from './clients.ts';
import type { Look } from './look.ts';

/** The hidden state of every form of a page. */
export interface FormState {
  csrf: string;
  /** The parameters of the authorization request, which the form sends again. */
  request: Record<string, string>;
}

export interface OAuthPage {
  title: string;
  body: Html;
  /** The form leads to another server, over any number of redirects. */
  leadsElsewhere?: boolean;
  /** The directive of the Content-Security-Policy that allows the script of the page. */
  runs?: string;
}

/** A link to another page of this server. */
export interface Link {
  href: string;
  text: string;
}

export function signInPage(
  client: OAuthClient,
  form: FormState,
  { login = '', error, more }: { login?: string; error?: string | undefined; more: readonly Link[] },
): OAuthPage {
  return {
    title: 'Sign in',
    body: html`<h1>Sign in</h1>
      <p class="quiet">to continue to <strong>${client.name}</strong></p>
      ${errorBox(error)}
      <form method="post" action="/oauth/authorize">
        ${hidden(form, 'sign_in')} ${signInFields(login)}
        <button type="submit">Sign in</button>
      </form>
      <p class="more">${more.map(({ href, text }) => html`<a href="${href}">${text}</a> `)}</p>`,
  };
}

/** The password was correct; an authenticator app or a recovery code is still required. */
export const secondStepPage = (client: OAuthClient, form: FormState, error?: string): OAuthPage => ({
  title: 'Enter a code',
  body: html`<h1>Enter a code</h1>
    <p class="quiet">to continue to <strong>${client.name}</strong></p>
    ${errorBox(error)}
    <form method="post" action="/oauth/authorize">
      ${hidden(form, 'second_step')} ${codeField({ focus: true })}
      <button type="submit">Sign in</button>
    </form>
    <form method="post" action="/oauth/authorize" class="more">
      ${hidden(form, 'sign_out')}
      <button type="submit" class="link">Back to sign-in</button>
    </form>`,
});

export function consentPage(
  client: OAuthClient,
  form: FormState,
  asked: { username: string; domain: string; scopes: readonly string[]; redirectUri: string },
): OAuthPage {
  return {
    title: `Authorize ${client.name}`,
    leadsElsewhere: true,
    body: html`<h1>Let ${client.name} use your account?</h1>
      ${websiteOf(client)}
      <p>This app is not part of ${asked.domain}. It asks for permission to:</p>
      ${describeScopes(asked.scopes).map(scopeSection)}
      <form method="post" action="/oauth/authorize">
        ${hidden(form, 'consent')}
        <div class="buttons">
          <button type="submit" name="decision" value="approve">Allow</button>
          <button type="submit" name="decision" value="deny" class="plain">Refuse</button>
        </div>
      </form>
      <div class="quiet who">
        <p>${destination(asked.redirectUri)}</p>
        Signed in as <strong>@${asked.username}@${asked.domain}</strong>.
        <form method="post" action="/oauth/authorize">
          ${hidden(form, 'sign_out')}
          <button type="submit" class="link">Not you?</button>
        </form>
      </div>`,
  };
}

/** The page for a signed-in user who may not use apps; `remedy` links to a page that helps. */
export const refusedPage = (reason: string, form: FormState, remedy: Link | undefined): OAuthPage => ({
  title: 'Not possible',
  body: html`<h1>You cannot authorize apps</h1>
    ${errorBox(reason)} ${remedy && html`<p><a href="${remedy.href}">${remedy.text}</a></p>`}
    <form method="post" action="/oauth/authorize">
      ${hidden(form, 'sign_out')}
      <button type="submit" class="plain">Sign in with another account</button>
    </form>`,
});

/** `retry` is a path on this server. */
export const errorPage = (message: string, retry?: string): OAuthPage => ({
  title: 'Something is wrong',
  body: html`<h1>This did not work</h1>
    ${errorBox(message)}
    ${
      retry === undefined
        ? html`<p class="quiet">Please go back to the app and try again.</p>`
        : html`<p><a href="${retry}">Try again</a></p>`
    }`,
});

export const codePage = (code: string): OAuthPage => ({
  title: 'Authorization code',
  body: html`<h1>Almost done</h1>
    <p>Copy this code and paste it into the app.</p>
    <label for="code">Authorization code</label>
    <output id="code" class="code">${code}</output>
    <p class="quiet">It works once, within ten minutes. Give it to nobody else.</p>`,
});

const SUBMIT = 'document.forms[0].submit()';
const SUBMIT_HASH = createHash('sha256').update(SUBMIT).digest('base64');

/** Sends the answer to the app in a form, which submits itself where scripts run. */
export const formPostPage = (action: string, fields: Record<string, string>): OAuthPage => ({
  title: 'Back to the app',
  leadsElsewhere: true,
  runs: `script-src 'sha256-${SUBMIT_HASH}'`,
  body: html`<h1>Almost done</h1>
    <form method="post" action="${action}">
      ${inputs(fields)}
      <button type="submit">Go on to the app</button>
    </form>
    ${trusted(`<script>${SUBMIT}</script>`)}`,
});

/** Returns the whole document. */
export const documentOf = ({ title, body }: OAuthPage, domain: string, { icon, accent }: Look): string =>
  documentWith({
    title: `${title} - ${domain}`,
    kind: 'oauth',
    accent,
    head: html`<meta name="robots" content="noindex" />`,
    body: html`<main>
      <p class="site">
        ${icon ? html`<img src="${icon.href}" alt="" width="32" height="32" />` : LOGO}<span>${domain}</span>
      </p>
      ${body}
    </main>`,
  });

const errorBox = (error: string | undefined): Html | undefined =>
  error === undefined ? undefined : html`<p class="error" role="alert">${error}</p>`;

const hidden = ({ csrf, request }: FormState, step: string): Html[] =>
  inputs({ ...request, step, csrf_token: csrf });

const inputs = (fields: Record<string, string>): Html[] =>
  Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );

const websiteOf = ({ website }: OAuthClient): Html | undefined =>
  website !== null && /^https?:\/\//i.test(website)
    ? html`<p class="quiet"><a href="${website}" rel="noopener noreferrer" target="_blank">${website}</a></p>`
    : undefined;

const scopeSection = ({ title, dangerous, descriptions }: ScopeSection): Html =>
  html`<section class="scopes${dangerous ? ' dangerous' : ''}">
    <h2>${title}</h2>
    <ul>
      ${descriptions.map((text) => html`<li>${text}</li>`)}
    </ul>
    ${dangerous && html`<p class="warning">Dangerous: this reaches other people's accounts and the whole server. Allow it only to an app that you trust fully.</p>`}
  </section>`;

function destination(redirectUri: string): Html {
  if (redirectUri === OUT_OF_BAND) return html`You will get a code to copy into the app.`;
  const { protocol, host } = new URL(redirectUri);
  const place = /^https?:$/.test(protocol) ? host : `${protocol}${host ? `//${host}` : ''}`;
  return html`You will be sent on to <strong>${place}</strong>.`;
}
