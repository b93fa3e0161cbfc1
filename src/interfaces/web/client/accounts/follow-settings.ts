import { checkField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { profilePath } from '#interfaces/web/entities/addresses.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { textsIn } from '#interfaces/web/page/sent-texts.ts';
import type { JsonObject } from '#kernel/event.ts';
import { knownLanguages } from '#mastodon/languages.ts';
import { backTo, personPage } from './person-page.ts';

interface FollowSettings {
  notify: boolean;
  reblogs: boolean;
  languages: readonly string[];
}

/** `/@:name/follow`: the settings of a follow or of a request; saving them follows an account that is not followed yet. */
export const followSettingsPage = personPage({
  path: 'follow',
  nested: true,
  title: ({ relationship: { following, requested } }) =>
    following || requested ? 'Follow settings' : 'Follow this account',
  content: (request, { account, relationship }, tried) => {
    const { following, requested } = relationship;
    const settings = tried?.nested
      ? sentIn(tried.nested)
      : {
          notify: relationship.notifying,
          reblogs: relationship.showing_reblogs || !(following || requested),
          languages: relationship.languages ?? [],
        };
    const save = following || requested ? 'Save' : account.locked ? 'Request to follow' : 'Follow';
    return form(
      request,
      html`${checkField({ name: 'reblogs', label: 'Show boosts in home', checked: settings.reblogs })}
        ${checkField({ name: 'notify', label: 'Notify me when this account posts', checked: settings.notify })}
        ${languagesField(settings.languages)}
        <div class="buttons">
          ${button(save)} ${buttonLink(profilePath(account), 'Cancel', { look: 'plain' })}
        </div>`,
    );
  },
  submit: async ({ request, person, nested }) => {
    const { notify, reblogs, languages } = sentIn(nested);
    const body = { notify: String(notify), reblogs: String(reblogs), languages: [...languages] };
    await request.api('POST v1/accounts/:id/follow', { params: { id: person.account.id }, body });
    return backTo(person, 'follow_settings');
  },
});

/** An empty list of languages stands for all of them. */
function sentIn({ notify, reblogs, languages }: JsonObject): FollowSettings {
  return { notify: notify === 'true', reblogs: reblogs === 'true', languages: textsIn(languages) };
}

const languagesField = (chosen: readonly string[]): Html =>
  html`<fieldset>
    <legend>Languages in home</legend>
    <p class="quiet">Without a choice, posts in all languages are shown.</p>
    <div class="languages" tabindex="0" role="group" aria-label="Languages">
      ${knownLanguages().map(({ code, name }) =>
        checkField({
          name: 'languages[]',
          id: `l-${code}`,
          value: code,
          label: name,
          checked: chosen.includes(code),
        }),
      )}
    </div>
  </fieldset>`;
