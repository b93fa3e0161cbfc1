import type { AdminAccount } from '../../../../mastodon/schemas/index.ts';
import { WORDS_OF_STRIKES } from '../../../../mastodon/strike-words.ts';
import { checkField } from '../../design/choice-fields.ts';
import { longField } from '../../design/fields.ts';
import { html, type Html } from '../../design/html.ts';
import { form } from '../../page/forms.ts';
import type { Fields, SignedInRequest, Tried } from '../../page/page.ts';
import { decisionButtons, sentences } from './decision.ts';
import type { Measure } from './acts.ts';

const MAX_TEXT = 10_000;

/** Renders the form of an action: what it does, the text that the user reads, and whether a mail is sent. */
export function measureForm(
  request: SignedInRequest,
  measure: Measure,
  { account, back, more = [] }: { account: AdminAccount; back: string; more?: readonly string[] },
  tried: Tried | undefined,
): Html {
  const name = `@${account.account.acct}`;
  const isLocal = account.domain === null;
  return html`${sentences([...measure.does(name), ...more])}
  ${form(
    request,
    html`${
      isLocal &&
      html`${letter(request, measure)}
      ${longField(
        {
          name: 'text',
          label: 'Your text to them',
          autocomplete: 'off',
          hint: 'They read it in the mail, and on the page of the strike. Your name is not told.',
          value: tried?.fields['text'] ?? '',
          problems: tried?.byField?.['text'],
          focus: true,
        },
        MAX_TEXT,
      )}
      ${checkField({
        name: 'send_email_notification',
        label: `Tell ${name} by mail and notification`,
        checked: tried === undefined || tried.fields['send_email_notification'] === 'true',
      })}`
    }
    ${!isLocal && html`<p class="quiet">${name} is on another server, so no text is sent.</p>`}
    ${decisionButtons({ ...measure, back, focus: !isLocal })}`,
  )}`;
}

/** Renders what the user reads besides the text of staff. */
const letter = ({ ctx: { instance } }: SignedInRequest, { strike }: Measure): Html => {
  const { subject, what } = WORDS_OF_STRIKES[strike];
  return html`<blockquote class="letter">
    <p><strong>${subject}</strong></p>
    <p>The moderators of ${instance.domain} ${what}</p>
  </blockquote>`;
};

/** Returns the body of a request for an action, from its form. */
export const measureBody = ({ type }: Measure, { text = '', send_email_notification: mail }: Fields) => ({
  type,
  text,
  send_email_notification: mail === 'true',
});
