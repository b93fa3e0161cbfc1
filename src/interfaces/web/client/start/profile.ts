import { fileField } from '#interfaces/web/design/choice-fields.ts';
import { longField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { START } from '#interfaces/web/page/layout.ts';
import { type Fields, type SignedInRequest, type Tried, userPage } from '#interfaces/web/page/page.ts';
import { unixLines } from '#interfaces/web/page/sent-texts.ts';
import { MAX_DISPLAY_NAME, MAX_NOTE, MAX_PICTURE_DESCRIPTION } from '#mastodon/limits.ts';
import type { Profile } from '#mastodon/schemas/index.ts';
import { afterStep, stepButtons, stepPage } from './steps.ts';

/** Larger files are cut off on their way; the endpoint names the limit of pictures. */
const MAX_BYTES = 16 * 1024 * 1024;
/** UTF-16 units: a character may have several. */
const UNITS = 4;

/** `/start`: the name and the picture of a new user. */
export const profileStep = userPage({
  path: START,
  files: { maxBytes: MAX_BYTES, maxCount: 1 },
  show: async (request, tried) => {
    const { entity: profile } = await request.api('GET v1/profile');
    const { display_name, note, avatar_description } = profile;
    const fields = tried?.fields ?? { display_name, note, avatar_description };
    return stepPage(request, 'Say who you are', profileForm(request, { profile, fields, tried }), tried);
  },
  keep: keepTexts({ note: 'Biography' }),
  submit: async (request, fields, files) => {
    const { display_name = '', note = '', avatar_description = '' } = fields;
    const { avatar } = files;
    await request.api('PATCH v1/accounts/update_credentials', {
      body: { display_name, note: unixLines(note), avatar_description },
      files: avatar ? { avatar } : {},
    });
    return { redirect: afterStep(START) };
  },
});

interface Shown {
  profile: Profile;
  fields: Fields;
  tried: Tried | undefined;
}

function profileForm(request: SignedInRequest, { profile, fields, tried }: Shown): Html {
  const of = (name: string): { name: string; value: string; problems: readonly string[] | undefined } => ({
    name,
    value: fields[name] ?? '',
    problems: tried?.byField?.[name],
  });
  const problems = ['avatar', 'avatar_content_type', 'avatar_file_size'].flatMap(
    (name) => tried?.byField?.[name] ?? [],
  );
  return html`<p>
      People are more likely to follow back when there is a name, a picture and a line about you. You can
      change all of it later, under <a href="/settings/profile">Settings</a>.
    </p>
    ${form(
      request,
      html`${textField(
        {
          ...of('display_name'),
          label: 'Display name',
          autocomplete: 'nickname',
          hint: `At most ${MAX_DISPLAY_NAME} characters. Your username stays @${request.user.username}.`,
        },
        MAX_DISPLAY_NAME * UNITS,
      )}
      ${profile.avatar_static !== null && html`<p><img class="avatar" src="${profile.avatar_static}" alt="Your picture now" width="96" height="96" /></p>`}
      ${fileField({
        name: 'avatar',
        label: 'Picture',
        accept: 'image/png,image/jpeg,image/gif,image/webp',
        hint: 'PNG, JPEG, GIF or WebP, at most 8 MB.',
        problems,
      })}
      ${textField(
        {
          ...of('avatar_description'),
          label: 'Description of the picture',
          autocomplete: 'off',
          hint: 'For people who cannot see it.',
        },
        MAX_PICTURE_DESCRIPTION * UNITS,
      )}
      ${longField(
        {
          ...of('note'),
          label: 'Biography',
          autocomplete: 'off',
          hint: `At most ${MAX_NOTE} characters. Hashtags say what you care about.`,
        },
        MAX_NOTE * UNITS,
      )}
      ${stepButtons(START, 'Save and continue')}`,
      { action: START, multipart: true },
    )}`;
}
