import { profilePath } from '../../entities/addresses.ts';
import { invalid } from '../../../../kernel/errors.ts';
import { buttonLink } from '../../design/components.ts';
import { html } from '../../design/html.ts';
import { button, form } from '../../page/forms.ts';
import { backTo, personPage } from './person-page.ts';

/** Durations in seconds. */
const DURATIONS = [
  ['0', 'Indefinitely'],
  ['300', '5 minutes'],
  ['1800', '30 minutes'],
  ['3600', '1 hour'],
  ['21600', '6 hours'],
  ['86400', '1 day'],
  ['259200', '3 days'],
  ['604800', '7 days'],
  ['2592000', '30 days'],
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
        html`<label for="duration">Duration</label>
          <select id="duration" name="duration">
            ${DURATIONS.map(
              ([seconds, label]) =>
                html`<option value="${seconds}" ${seconds === duration && html`selected`}>${label}</option>`,
            )}
          </select>
          <p class="tick">
            <input
              type="checkbox"
              id="notifications"
              name="notifications"
              value="true"
              ${hides && html`checked`}
            />
            <label for="notifications">Hide notifications from this account</label>
          </p>
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
