import { checkField, selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { invalid } from '#kernel/errors.ts';
import { backTo, personPage } from './person-page.ts';

/** Durations in seconds. */
const DURATIONS = [
  { value: '0', label: 'Indefinitely' },
  { value: '300', label: '5 minutes' },
  { value: '1800', label: '30 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '21600', label: '6 hours' },
  { value: '86400', label: '1 day' },
  { value: '259200', label: '3 days' },
  { value: '604800', label: '7 days' },
  { value: '2592000', label: '30 days' },
] as const;

/** `/@:name/mute` */
export const mutePage = personPage({
  path: 'mute',
  title: () => 'Mute this account?',
  content: (request, { account, relationship }, tried) => {
    const { duration = '0' } = tried?.fields ?? {};
    const hides = tried
      ? tried.fields['notifications'] === 'true'
      : !relationship.muting || relationship.muting_notifications;
    return html`<ul>
        <li>They can still see your posts and follow you, and they won't know that they're muted.</li>
        <li>You won't see their posts, and posts that mention them don't appear in your home.</li>
      </ul>
      ${form(
        request,
        html`${selectField({ name: 'duration', label: 'Duration', choices: DURATIONS, chosen: duration })}
          ${checkField({ name: 'notifications', label: 'Hide notifications from this account', checked: hides })}
          <div class="buttons">
            ${button('Mute')} ${buttonLink(profilePath(account), 'Cancel', { look: 'plain' })}
          </div>`,
      )}`;
  },
  submit: async ({ request, person, fields }) => {
    const { duration = '', notifications = 'false' } = fields;
    // The API takes any text for a number.
    if (!/^\d{1,12}$/.test(duration)) throw invalid('Choose how long to mute this account.');
    const params = { id: person.account.id };
    await request.api('POST v1/accounts/:id/mute', { params, body: { duration, notifications } });
    return backTo(person, 'muted');
  },
});
