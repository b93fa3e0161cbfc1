import { valuesBy } from '#kernel/values-by.ts';
import { knownLanguages } from '#mastodon/languages.ts';
import type { Preferences } from '#mastodon/schemas/index.ts';
import { checkField, type Choice, radioField, selectField } from '../design/choice-fields.ts';
import { type Html, html } from '../design/html.ts';
import { AUDIENCE_CHOICES, QUOTE_POLICIES } from '../entities/visibility.ts';
import { button, form } from '../page/forms.ts';
import { settingsPage, signInThen } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import {
  type Fields,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebRequest,
  type WebResponse,
} from '../page/page.ts';
import { asSent } from '../page/sent-texts.ts';

const PREFERENCES = '/settings/preferences';

const FLAGS = [
  'posting:default:sensitive',
  'reading:expand:spoilers',
  'reading:aggregate:reblogs',
  'reading:autoplay:gifs',
] as const satisfies (keyof Preferences)[];
const CHOICES = [
  'posting:default:visibility',
  'posting:default:language',
  'posting:default:quote_policy',
  'reading:expand:media',
] as const satisfies (keyof Preferences)[];

/** The defaults for new posts, and how posts are shown. */
export const preferencesPage = userPage({
  path: PREFERENCES,
  show: async (request, tried) => {
    const fields = tried?.fields ?? fieldsOf((await request.api('GET v1/preferences')).entity);
    return shown(request, fields, tried);
  },
  submit: async (request, fields) => {
    await request.api('PATCH v1/preferences', { body: bodyOf(fields) });
    return { redirect: saying(PREFERENCES, 'preferences') };
  },
  keep: (request, tried) =>
    request.user
      ? shown({ ...request, user: request.user }, tried.fields, tried)
      : { redirect: signInThen(PREFERENCES) },
});

const fieldsOf = (preferences: Preferences): Fields => ({
  ...Object.fromEntries(CHOICES.map((name) => [name, preferences[name] ?? ''])),
  ...Object.fromEntries(FLAGS.filter((name) => preferences[name]).map((name) => [name, 'true'])),
});

const bodyOf = (fields: Fields) => ({
  ...valuesBy(CHOICES, (name) => (fields[name] === undefined ? undefined : asSent(fields[name]))),
  ...valuesBy(FLAGS, (name) => fields[name] === 'true'),
});

const shown = (request: SignedInRequest, fields: Fields, tried: Tried | undefined): WebResponse =>
  settingsPage(request, 'Preferences', [], tried, preferencesForm(request, fields));

const MEDIA: readonly Choice[] = [
  { value: 'default', label: 'Hide what is marked as sensitive' },
  { value: 'show_all', label: 'Always show media' },
  { value: 'hide_all', label: 'Always hide media' },
];
const LANGUAGES: readonly Choice[] = [
  { value: '', label: 'None' },
  ...knownLanguages().map(({ code, name }) => ({ value: code, label: name })),
];

function preferencesForm(request: WebRequest, fields: Fields): Html {
  const flag = (name: (typeof FLAGS)[number], label: string, hint?: string): Html =>
    checkField({ name, label, checked: fields[name] === 'true', ...(hint !== undefined && { hint }) });
  const chosen = (name: (typeof CHOICES)[number]): { name: string; chosen: string } => ({
    name,
    chosen: fields[name] ?? '',
  });
  return form(
    request,
    html`<section class="box">
        <h2>Posting</h2>
        ${radioField({ ...chosen('posting:default:visibility'), label: 'Posting privacy', choices: AUDIENCE_CHOICES })}
        ${selectField({ ...chosen('posting:default:quote_policy'), label: 'Who can quote', choices: QUOTE_POLICIES })}
        ${selectField({ ...chosen('posting:default:language'), label: 'Language of posts', choices: LANGUAGES })}
        ${flag('posting:default:sensitive', 'Always mark media as sensitive')}
        <p class="quiet">Each post can differ.</p>
      </section>
      <section class="box">
        <h2>Reading</h2>
        ${radioField({ ...chosen('reading:expand:media'), label: 'Media', choices: MEDIA })}
        ${flag('reading:expand:spoilers', 'Always expand posts with content warnings')}
        ${flag('reading:autoplay:gifs', 'Play animated pictures by themselves', 'Apps ask for this.')}
        ${flag('reading:aggregate:reblogs', 'Group boosts', 'A post that was just boosted is not shown again.')}
      </section>
      <p class="buttons save">${button('Save changes')}</p>`,
    { action: PREFERENCES },
  );
}
