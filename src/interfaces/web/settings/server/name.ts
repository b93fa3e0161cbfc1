import { readFile } from 'node:fs/promises';
import {
  changeSettings,
  type InstanceSettings,
  readSettings,
  type SettingName,
} from '#commands/instance/index.ts';
import { fileField } from '#interfaces/web/design/choice-fields.ts';
import { addressField, longField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, Files, SignedInRequest, Tried } from '#interfaces/web/page/page.ts';
import { instanceSettings, thumbnailUrl } from '#queries/instance/index.ts';
import { afterStep, saveButtons, SERVER, staffPage, stepPage } from './steps.ts';

/** As at the endpoints for pictures of profiles. */
const MAX_BYTES = 8 * 1024 * 1024;
const TEXTS = ['title', 'short_description', 'contact_email', 'accent_color'] as const;
const PICTURES = ['thumbnail', 'icon'] as const;

/** `/start/server`: the name, the description and the look of the server. */
export const namePage = staffPage('manage_settings', {
  path: SERVER,
  files: { maxBytes: MAX_BYTES, maxCount: 2 },
  show: async (request, tried) => {
    const settings = await instanceSettings(request.ctx.db);
    return stepPage(request, 'Set up the server', [nameForm(request, settings, tried)], {
      tried,
      hasForm: true,
    });
  },
  keep: keepTexts({ short_description: 'Description' }),
  submit: async ({ ctx }, fields, files) => {
    await changeSettings(ctx, await changesIn(ctx, fields, files));
    return { redirect: saying(afterStep(SERVER), 'setting') };
  },
});

/** @throws RookeryError `invalid` with the problems by field */
async function changesIn(
  ctx: SignedInRequest['ctx'],
  fields: Fields,
  files: Files,
): Promise<Partial<InstanceSettings>> {
  const given: Partial<Record<SettingName, Buffer>> = {};
  for (const name of TEXTS) {
    if (fields[name] !== undefined) given[name] = Buffer.from(fields[name]);
  }
  for (const name of PICTURES) {
    const file = files[name];
    if (file) given[name] = await readFile(file.path);
  }
  return readSettings(ctx, given);
}

function nameForm(request: SignedInRequest, settings: InstanceSettings, tried: Tried | undefined): Html {
  const before: Fields = {
    title: settings.title,
    short_description: settings.short_description,
    contact_email: settings.contact_email,
    accent_color: settings.accent_color ?? '',
  };
  const of = (name: string): { name: string; value: string; problems: readonly string[] | undefined } => ({
    name,
    value: (tried?.fields ?? before)[name] ?? '',
    problems: tried?.byField?.[name],
  });
  const content = html`${textField(
    {
      ...of('title'),
      label: 'Name of the server',
      autocomplete: 'off',
      hint: `Shown on every page. Without one it is ${request.ctx.instance.domain}.`,
    },
    200,
  )}
  ${longField(
    {
      ...of('short_description'),
      label: 'Description',
      autocomplete: 'off',
      hint: 'One or two sentences for the front page: who is it for, and what is it about?',
    },
    2_000,
  )}
  ${addressField({
    ...of('contact_email'),
    label: 'Contact',
    autocomplete: 'email',
    hint: 'An e-mail address for questions and reports, which everybody sees.',
    optional: true,
  })}
  ${pictureFields(settings, request, tried)}
  ${textField(
    {
      ...of('accent_color'),
      label: 'Accent colour',
      autocomplete: 'off',
      hint: 'As in #7a3b8f; leave it empty for the colour of Rookery. It is darkened or lightened where text would be hard to read.',
    },
    20,
  )}
  ${saveButtons(SERVER)}`;
  return form(request, content, { action: SERVER, multipart: true });
}

const pictureFields = (
  settings: InstanceSettings,
  { ctx }: SignedInRequest,
  tried: Tried | undefined,
): Html =>
  html`${settings.thumbnail !== null && html`<p><img src="${thumbnailUrl(settings, ctx.instance)}" alt="The picture now" width="288" height="151" /></p>`}
  ${fileField({
    name: 'thumbnail',
    label: 'Picture',
    accept: 'image/png,image/jpeg,image/webp',
    hint: 'For the front page and link previews, 1200 × 630 pixels.',
    problems: tried?.byField?.['thumbnail'],
  })}
  ${fileField({
    name: 'icon',
    label: 'Logo',
    accept: 'image/png,image/jpeg,image/webp',
    hint: 'A square of at least 512 pixels.',
    problems: tried?.byField?.['icon'],
  })}`;
