import { checkField, fileField } from '#interfaces/web/design/choice-fields.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, SignedInRequest, Tried, WebPage } from '#interfaces/web/page/page.ts';
import { actPage } from '../act-page.ts';

export const EMOJIS = '/admin/custom_emojis';
export const BACK = [EMOJIS, 'Custom emojis'] as const;
const MAX_BYTES = 256 * 1024;
const MAX_SHORTCODE = 60;
const MAX_CATEGORY = 100;

const newEmojiPage = actPage({
  path: `${EMOJIS}/new`,
  permission: 'manage_custom_emojis',
  files: { maxBytes: MAX_BYTES, maxCount: 1 },
  ask: async (request, tried) => ({
    title: 'Upload an emoji',
    text: 'Users can write its shortcode between colons at once, and other servers see the picture in their posts.',
    fields: html`${textField(
      {
        name: 'shortcode',
        label: 'Shortcode',
        autocomplete: 'off',
        hint: 'Two or more letters, digits and underscores.',
        value: tried?.fields['shortcode'] ?? '',
        problems: tried?.byField?.['shortcode'],
      },
      MAX_SHORTCODE,
    )}
    ${fileField({ name: 'image', label: 'Picture', accept: 'image/png,image/gif,image/webp', hint: 'PNG, GIF or WebP, of at most 256 kB. A square looks best.', problems: tried?.byField?.['image'] })}
    ${await lookFields(request, tried?.fields ?? { visible_in_picker: 'true' }, tried)}
    ${checkField({ name: 'overwrite', label: 'Replace an emoji of the same name', hint: 'Posts then show the new picture.', checked: tried?.fields['overwrite'] === 'true' })}`,
    label: 'Upload',
    back: BACK,
  }),
  act: async ({ api }, fields, { image }) => {
    const { shortcode = '', overwrite } = fields;
    await api('POST v1/admin/custom_emojis', {
      body: { shortcode, overwrite: overwrite === 'true', ...looksIn(fields) },
      files: image && image.size > 0 ? { image } : {},
    });
    return saying(EMOJIS, 'emoji_saved');
  },
});

const editEmojiPage = actPage({
  path: `${EMOJIS}/:id/edit`,
  permission: 'manage_custom_emojis',
  ask: async (request, tried) => {
    const { entity: emoji } = await request.api('GET v1/admin/custom_emojis/:id', { params: request.params });
    const before = { category: emoji.category ?? '', visible_in_picker: String(emoji.visible_in_picker) };
    return {
      title: `Edit :${emoji.shortcode}:`,
      text: html`<p><img class="emoji-picture" src="${emoji.url}" alt="" width="32" height="32" /></p>
        <p>Upload it anew to replace the picture.</p>`,
      fields: await lookFields(request, tried?.fields ?? before, tried),
      label: 'Save',
      back: BACK,
    };
  },
  act: async ({ api, params }, fields) => {
    await api('PUT v1/admin/custom_emojis/:id', { params, body: looksIn(fields) });
    return saying(EMOJIS, 'emoji_saved');
  },
});

const looksIn = ({
  category = '',
  visible_in_picker,
}: Fields): { category: string; visible_in_picker: boolean } => ({
  category,
  visible_in_picker: visible_in_picker === 'true',
});

/** Renders the category, with those that exist to choose from, and the place in pickers. */
async function lookFields({ api }: SignedInRequest, fields: Fields, tried: Tried | undefined): Promise<Html> {
  const { entity: categories } = await api('GET v1/admin/custom_emojis/categories');
  const names = categories.flatMap(({ category }) => category ?? []);
  return html`${textField(
    {
      name: 'category',
      label: 'Category (optional)',
      autocomplete: 'off',
      ...(names.length > 0 && { hint: `There are: ${names.slice(0, 20).join(', ')}.` }),
      value: fields['category'] ?? '',
      problems: tried?.byField?.['category'],
    },
    MAX_CATEGORY,
  )}
  ${checkField({ name: 'visible_in_picker', label: 'Offer it in pickers', hint: 'It works in texts all the same.', checked: fields['visible_in_picker'] === 'true' })}`;
}

export const emojiForms: readonly WebPage[] = [newEmojiPage, editEmojiPage];
