import { invalid } from '#kernel/errors.ts';
import type { JsonObject } from '#kernel/event.ts';
import { MAX_FEATURED_TAGS } from '#mastodon/limits.ts';
import type { FeaturedTag } from '#mastodon/schemas/index.ts';
import { textField } from '../design/fields.ts';
import { type Html, html } from '../design/html.ts';
import { button, form } from '../page/forms.ts';
import { plainPage, settingsPage, signInThen } from '../page/layout.ts';
import { saying } from '../page/notices.ts';
import {
  type Fields,
  type Files,
  type SignedInRequest,
  type Tried,
  userPage,
  type WebRequest,
  type WebResponse,
} from '../page/page.ts';
import { summaryOf } from '../page/refusals.ts';
import { profileForm } from './profile-form.ts';
import { bodyOf, valuesOf, valuesSent } from './profile-values.ts';

const PROFILE = '/settings/profile';
/** Larger files are cut off on their way; the endpoint names the limit of pictures. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The profile as others see it. `step` distinguishes the forms of the page. */
export const profilePage = userPage({
  path: PROFILE,
  nested: true,
  files: { maxBytes: MAX_BYTES, maxCount: 2 },
  show: showProfile,
  submit: async (request, fields, files, nested) => {
    switch (fields['step']) {
      case 'save':
        await saveProfile(request, { fields, files, nested });
        return { redirect: saying(PROFILE, 'profile') };
      case 'feature':
        await request.api('POST v1/featured_tags', { body: { name: fields['name'] ?? '' } });
        return { redirect: saying(PROFILE, 'tag_featured') };
      case 'unfeature':
        await request.api('DELETE v1/featured_tags/:id', { params: { id: fields['id'] ?? '' } });
        return { redirect: saying(PROFILE, 'tag_unfeatured') };
      default:
        throw invalid('The form is incomplete.');
    }
  },
  keep: (request, tried) =>
    request.user ? showProfile({ ...request, user: request.user }, tried) : keptForm(request, tried),
});

interface Sent {
  fields: Fields;
  files: Files;
  nested: JsonObject;
}

/** Changes the profile by the form. @throws RookeryError `invalid` */
export async function saveProfile(request: SignedInRequest, { fields, files, nested }: Sent): Promise<void> {
  const { avatar, header } = files;
  const pictures = { ...(avatar && { avatar }), ...(header && { header }) };
  await request.api('PATCH v1/accounts/update_credentials', {
    body: bodyOf(fields, nested),
    files: pictures,
  });
  for (const kind of ['avatar', 'header'] as const) {
    if (fields[`remove_${kind}`] === 'true' && !files[kind]) await request.api(`DELETE v1/profile/${kind}`);
  }
}

async function showProfile(request: SignedInRequest, tried?: Tried): Promise<WebResponse> {
  const [{ entity: profile }, { entity: account }] = await Promise.all([
    request.api('GET v1/profile'),
    request.api('GET v1/accounts/verify_credentials'),
  ]);
  const isSaving = tried?.fields['step'] === 'save';
  const values = isSaving ? valuesSent(tried.fields, tried.nested) : valuesOf(profile, account);
  const pictures = { avatar: profile.avatar_static, header: profile.header_static };
  const main = profileForm(request, {
    values,
    pictures,
    tried: isSaving ? tried : undefined,
    action: PROFILE,
  });
  const tags = featuredTags(request, profile.featured_tags, isSaving ? undefined : tried);
  const content = html`${main}
    <section class="box">${tags}</section>`;
  const problems = tried && { ...tried, problems: summaryOf(tried) };
  return settingsPage(request, 'Profile', [], problems, content);
}

/** The session has ended: signing in elsewhere in the browser lets this form be sent again. */
const keptForm = (request: WebRequest, tried: Tried): WebResponse => {
  const page = plainPage(
    request,
    'Profile',
    html`<p><a href="${signInThen(PROFILE)}" target="_blank" rel="noopener">Sign in in another tab</a></p>`,
    tried,
  );
  const pictures = { avatar: null, header: null };
  const values = valuesSent(tried.fields, tried.nested);
  return {
    ...page,
    body: html`${page.body} ${profileForm(request, { values, pictures, tried, action: PROFILE })}`,
  };
};

const featuredTags = (
  request: SignedInRequest,
  tags: readonly FeaturedTag[],
  tried: Tried | undefined,
): Html =>
  html`<h2>Featured hashtags</h2>
    <p class="quiet">Your profile leads to your posts with them. At most ${MAX_FEATURED_TAGS}.</p>
    ${
      tags.length > 0 &&
      html`<ul class="removable">
        ${tags.map(
          ({ id, name }) =>
            html`<li>
              <span dir="auto">#${name}</span>
              ${form(
                request,
                html`<button class="plain small" aria-label="${`Remove #${name}`}">Remove</button>`,
                { action: PROFILE, hidden: { step: 'unfeature', id } },
              )}
            </li>`,
        )}
      </ul>`
    }
    ${
      tags.length < MAX_FEATURED_TAGS &&
      form(
        request,
        html`${textField(
          { name: 'name', label: 'Hashtag', autocomplete: 'off', value: tried?.fields['name'] ?? '' },
          200,
        )}
        ${button('Feature it', 'plain')}`,
        { action: PROFILE, hidden: { step: 'feature' } },
      )
    }`;
