import { checkField } from '#interfaces/web/design/choice-fields.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { groundsText } from '#interfaces/web/entities/strike-grounds.ts';
import { form } from '#interfaces/web/page/forms.ts';
import type { Fields, SignedInRequest, Tried } from '#interfaces/web/page/page.ts';
import type { AdminAccount, StrikeGrounds } from '#mastodon/schemas/index.ts';
import { WORDS_OF_STRIKES } from '#mastodon/strike-words.ts';
import type { Sanction } from './acts.ts';
import { decisionButtons, sentences } from './decision.ts';

const MAX_TEXT = 10_000;

interface SanctionAsked {
  account: AdminAccount;
  back: string;
  /** Consequences besides those of the action. */
  more?: readonly string[];
  /** From the report, if one led to the action. */
  grounds?: StrikeGrounds | null;
}

/** Renders the form of an action: what it does, the text that the user reads, and whether a mail is sent. */
export function sanctionForm(
  request: SignedInRequest,
  sanction: Sanction,
  { account, back, more = [], grounds = null }: SanctionAsked,
  tried: Tried | undefined,
): Html {
  const name = `@${account.account.acct}`;
  const isLocal = account.domain === null;
  return html`${sentences([...sanction.does(name), ...more])}
  ${form(
    request,
    html`${
      isLocal &&
      html`${letter(request, sanction, grounds)}
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
    ${decisionButtons({ ...sanction, back, focus: !isLocal })}`,
  )}`;
}

/** Renders what the user reads besides the text of staff. */
const letter = (
  { ctx: { instance } }: SignedInRequest,
  { strike }: Sanction,
  grounds: StrikeGrounds | null,
): Html => {
  const { subject, what } = WORDS_OF_STRIKES[strike];
  return html`<blockquote class="letter">
    <p><strong>${subject}</strong></p>
    <p>The moderators of ${instance.domain} ${what}</p>
    ${groundsText(instance.domain, grounds)}
  </blockquote>`;
};

/** Returns the body of a request for an action, from its form. */
export const sanctionBody = <Type extends Sanction['type']>(
  { type }: { type: Type },
  { text = '', send_email_notification: mail }: Fields,
) => ({ type, text, send_email_notification: mail === 'true' });
