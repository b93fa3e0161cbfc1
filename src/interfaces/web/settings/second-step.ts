import { attemptSecondStep } from '#interfaces/oauth/sign-in.ts';
import { codeField } from '../design/fields.ts';
import { html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { HOME, plainPage, SECOND_STEP, signInThen } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import { ownPath } from '../page/own-path.ts';
import { openPage, type Tried, type WebRequest, type WebResponse } from '../page/page.ts';
import { destinationOf } from './destination.ts';

/** The second step of the sign-in, after the correct password; apps have it at `/oauth/authorize`. */
export const secondStepPage = openPage({
  path: SECOND_STEP,
  show: async (request, tried) => {
    const then = wayOn(request, tried);
    if (request.user) return { redirect: then ?? HOME };
    const isAwaited = (await request.services.sessions.awaitingCode(request.session)) !== undefined;
    return isAwaited ? showForm(request, then, tried) : { redirect: signInThen(then) };
  },
  submit: async (request, fields) => {
    const { services, session, ctx } = request;
    const then = ownPath(fields['return_to']);
    const outcome = await attemptSecondStep(services, session, {
      code: fields['code'] ?? '',
      ip: ctx.ip,
      allowsLockedOut: true,
    });
    if (!outcome) return { redirect: saying(signInThen(then), 'begin_again') };
    if ('session' in outcome) {
      return { redirect: then ?? (await destinationOf(request, outcome)), session: outcome.session };
    }
    const { error, status, headers = {} } = outcome;
    return { ...showForm(request, then, { problems: [error], fields }), status, headers };
  },
});

const wayOn = ({ query }: WebRequest, tried?: Tried): string | undefined =>
  ownPath(tried?.fields['return_to'] ?? query.get('return_to'));

function showForm(request: WebRequest, then: string | undefined, tried?: Tried): WebResponse {
  const hidden = then === undefined ? {} : { return_to: then };
  const body = html`${form(request, html`${codeField({ focus: true })} ${button('Sign in')}`, { hidden })}
    <p><a href="${signInThen(then)}">Back to sign-in</a></p>`;
  return plainPage(request, 'Enter a code', body, tried);
}
