import { type Admission, admissionOf, register, signUpBody } from '#commands/accounts/index.ts';
import { validationFailed } from '#interfaces/http/errors.ts';
import { RAILS_MESSAGES } from '#interfaces/http/schema-messages.ts';
import { carrying, SETUP, SIGN_UP } from '#interfaces/oauth/sign-in.ts';
import { preferredLanguage } from '#mastodon/language.ts';
import { instanceFacts } from '#queries/instance/index.ts';
import { html, type Part, trusted } from '../design/html.ts';
import { HOME, plainPage, signInFor } from '../page/layout.ts';
import { ownPath } from '../page/own-path.ts';
import { type Fields, openPage, type Tried, type WebRequest, type WebResponse } from '../page/page.ts';
import { unixLines } from '../page/sent-texts.ts';
import { ruleList } from '../public/server-parts.ts';
import { signUpForm } from './sign-up-form.ts';

const TITLE = 'Sign up';

/**
 * Creates an account like `POST /api/v1/accounts`, but without an app. The new user is signed in, and sees
 * the missing steps.
 */
export const signUpPage = openPage({
  path: SIGN_UP,
  show: showSignUp,
  submit: async (request, fields) => {
    const { ctx, services, session } = request;
    const then = ownPath(fields['return_to']);
    if (request.user || request.newcomer) return alreadyHere(request, then);
    await services.limitAddress('sign_up', ctx.ip);
    const accountId = await register(ctx, inputOf(request, fields), null);
    return { redirect: carrying(SETUP, then), session: await services.sessions.signIn(session, accountId) };
  },
});

/**
 * Returns the input for the API. @throws RookeryError `invalid` for input that no form of this server sends
 */
function inputOf({ ctx }: WebRequest, fields: Fields): ReturnType<typeof signUpBody.parse> {
  const asked = {
    ...fields,
    ...(fields['reason'] === undefined ? {} : { reason: unixLines(fields['reason']) }),
    locale: preferredLanguage(ctx.locale),
  };
  const { success, data, error } = signUpBody.safeParse(asked, RAILS_MESSAGES);
  if (!success) throw validationFailed(error);
  return data;
}

async function showSignUp(request: WebRequest, tried?: Tried): Promise<WebResponse> {
  const { ctx } = request;
  const then = ownPath(tried?.fields['return_to'] ?? request.query.get('return_to'));
  if (request.user || request.newcomer) return alreadyHere(request, then);
  const [admission, facts] = await Promise.all([admissionOf(ctx), instanceFacts(ctx)]);
  const back = html`<p><a href="${signInFor(then)}">You have an account? Sign in</a></p>`;
  if (admission === 'closed' || admission === 'blocked') {
    const why = whyNobody(admission, facts.settings.registrations_message);
    return plainPage(request, TITLE, html`${why} ${back}`);
  }
  const { rules } = facts;
  const body = html`${
    admission === 'approved' &&
    html`<p>Staff looks at each sign-up first. You get a mail when it is done.</p>`
  }
  ${
    rules.length > 0 &&
    html`<h2 id="rules">Rules</h2>
      ${ruleList(rules)}`
  }
  ${signUpForm(request, { facts, asksWhy: admission === 'approved', then, tried })} ${back}`;
  return plainPage(request, TITLE, body, tried && { ...tried, problems: summary(tried) });
}

const alreadyHere = ({ newcomer }: WebRequest, then: string | undefined): WebResponse => ({
  redirect: newcomer ? carrying(SETUP, then) : (then ?? HOME),
});

function whyNobody(admission: Exclude<Admission, 'open' | 'approved'>, message: string): Part {
  if (admission === 'blocked') return html`<p>Nobody can sign up from the network that you are in.</p>`;
  return message === ''
    ? html`<p>Nobody can sign up now.</p>`
    : html`<div class="content">${trusted(message)}</div>`;
}

/** Problems with a field appear beside it. */
function summary({ problems, byField = {} }: Tried): readonly string[] {
  const wrong = Object.values(byField).flat();
  const others = problems.filter((problem) => !wrong.includes(problem));
  return wrong.length > 0 ? ['There is no account yet: see what is said in the form.', ...others] : others;
}
