import {
  MAX_DISPLAY_NAME,
  MAX_FIELD_TEXT,
  MAX_FIELDS,
  MAX_NOTE,
  MAX_PICTURE_DESCRIPTION,
} from '#mastodon/limits.ts';
import { checkField, fileField } from '../design/choice-fields.ts';
import { longField, textField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import type { Tried, WebRequest } from '../page/page.ts';
import type { ProfileValues } from './profile-values.ts';

/** UTF-16 units: a character may have several. */
const UNITS = 4;
const PICTURES = 'image/png,image/jpeg,image/gif,image/webp';

/** The pictures as they are; null for the one that everybody gets. */
export interface Pictures {
  avatar: string | null;
  header: string | null;
}

interface Shown {
  values: ProfileValues;
  pictures: Pictures;
  tried: Tried | undefined;
  action: string;
}

/** Renders the form of the profile, with the problems beside their fields. */
export const profileForm = (request: WebRequest, { values, pictures, tried, action }: Shown): Html => {
  const of = (name: string): { name: string; value: string; problems: readonly string[] | undefined } => ({
    name,
    value: values.texts[name] ?? '',
    problems: problemsAbout(tried, name),
  });
  return form(
    request,
    html`<section class="box">
        <h2>Pictures</h2>
        ${pictureFields('avatar', 'Picture', { of, picture: pictures.avatar, values })}
        ${pictureFields('header', 'Header', { of, picture: pictures.header, values })}
      </section>
      <section class="box">
        <h2>Who you are</h2>
        ${textField(
          {
            ...of('display_name'),
            label: 'Display name',
            autocomplete: 'nickname',
            hint: `At most ${MAX_DISPLAY_NAME} characters. Your username does not change.`,
          },
          MAX_DISPLAY_NAME * UNITS,
        )}
        ${longField(
          {
            ...of('note'),
            label: 'Biography',
            autocomplete: 'off',
            hint: `At most ${MAX_NOTE} characters. You can @mention people and use #hashtags.`,
          },
          MAX_NOTE * UNITS,
        )}
        ${rowsOf(values, problemsAbout(tried, 'fields'))} ${check('bot', values)}
      </section>
      <section class="box">
        <h2>Who finds and follows you</h2>
        ${(['locked', 'discoverable', 'indexable', 'noindex', 'hide_collections'] as const).map((name) => check(name, values))}
      </section>
      <section class="box">
        <h2>Tabs of your profile</h2>
        ${(['show_media', 'show_media_replies', 'show_featured'] as const).map((name) => check(name, values))}
      </section>
      <section class="box">
        <h2>Author attribution</h2>
        ${longField(
          {
            ...of('attribution_domains'),
            label: 'Websites that may name you as the author',
            autocomplete: 'off',
            hint: 'One domain a line, at most 10. Link previews of their articles then lead to your profile.',
          },
          3_000,
        )}
      </section>
      <p class="buttons save">${button('Save changes')}</p>`,
    { action, multipart: true, hidden: { step: 'save' } },
  );
};

interface PictureShown {
  of: (name: string) => { name: string; value: string; problems: readonly string[] | undefined };
  picture: string | null;
  values: ProfileValues;
}

function pictureFields(
  kind: 'avatar' | 'header',
  label: string,
  { of, picture, values }: PictureShown,
): Html {
  const size = kind === 'avatar' ? '400 × 400' : '1500 × 500';
  return html`<div class="picture-field of-${kind}">
    ${picture !== null && html`<img src="${picture}" alt="Your ${label.toLowerCase()} now" width="${kind === 'avatar' ? 96 : 288}" height="96" />`}
    <div>
      ${fileField({
        name: kind,
        label,
        accept: PICTURES,
        problems: of(kind).problems,
        hint: `PNG, JPEG, GIF or WebP, at most 8 MB. It is scaled to ${size} pixels.`,
      })}
      ${textField(
        {
          ...of(`${kind}_description`),
          label: `Description of the ${label.toLowerCase()}`,
          autocomplete: 'off',
          hint: 'For people who cannot see it.',
        },
        MAX_PICTURE_DESCRIPTION * UNITS,
      )}
      ${picture !== null && checkField({ name: `remove_${kind}`, label: `Remove the ${label.toLowerCase()}`, checked: values.texts[`remove_${kind}`] === 'true' })}
    </div>
  </div>`;
}

const rowsOf = ({ rows }: ProfileValues, problems: readonly string[] | undefined): Html =>
  html`<fieldset class="rows" ${problems && html`aria-describedby="rows-hint rows-problem"`}>
    <legend>Extra fields</legend>
    <p class="quiet" id="rows-hint">
      Your website, pronouns, anything: at most ${MAX_FIELDS}. A link to a page that links back to your
      profile with rel="me" is marked as verified.
    </p>
    ${problems && html`<p class="wrong" id="rows-problem">${problems.join(' ')}</p>`}
    ${rows.map(
      ({ name, value }, index) =>
        html`<div class="row">
          ${rowInput(index, 'name', `Label ${index + 1}`, name)}
          ${rowInput(index, 'value', `Content ${index + 1}`, value)}
        </div>`,
    )}
  </fieldset>`;

const rowInput = (index: number, part: string, label: string, value: string): Html =>
  html`<p>
    <label for="row-${index}-${part}">${label}</label>
    <input
      type="text"
      id="row-${index}-${part}"
      name="fields_attributes[${index}][${part}]"
      value="${value}"
      maxlength="${MAX_FIELD_TEXT}"
      autocomplete="off"
      dir="auto"
    />
  </p>`;

const CHECKS: Record<string, { label: string; hint?: string }> = {
  locked: { label: 'Approve followers yourself', hint: 'Nobody follows you before you agree.' },
  bot: { label: 'This account is automated', hint: 'It mainly posts by itself.' },
  discoverable: {
    label: 'Suggest my account to others',
    hint: 'In the directory, in suggestions and in trends.',
  },
  indexable: { label: 'Include my public posts in search', hint: 'Anybody can find them by their words.' },
  noindex: { label: 'Keep search engines away', hint: 'They are asked not to index your pages.' },
  hide_collections: { label: 'Hide whom I follow and who follows me' },
  show_media: { label: 'Show a tab with media' },
  show_media_replies: { label: 'Include media of replies in it' },
  show_featured: { label: 'Show featured hashtags and people' },
};

const check = (name: string, { flags }: ProfileValues): Html =>
  checkField({ name, label: name, ...CHECKS[name], checked: flags.has(name) });

/** Some problems with a picture have the name of one of its properties. */
function problemsAbout({ byField = {} }: Pick<Tried, 'byField'> = {}, name: string): string[] | undefined {
  const found = Object.entries(byField).flatMap(([field, problems]) =>
    field === name || (field.startsWith(`${name}_`) && !field.endsWith('_description')) ? problems : [],
  );
  return found.length > 0 ? found : undefined;
}
