import { checkField, fileField, radioField } from '#interfaces/web/design/choice-fields.ts';
import { tabs } from '#interfaces/web/design/components.ts';
import { longField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, Tried, WebPage } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import { notFound } from '#kernel/errors.ts';
import { valuesBy } from '#kernel/values-by.ts';
import type { AdminSettings } from '#mastodon/schemas/index.ts';
import { actPage } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { GROUPS, type Setting, SETTINGS, type SettingsGroup } from './groups.ts';

/** As at the endpoint. */
const MAX_BYTES = 8 * 1024 * 1024;
const LINKS = GROUPS.map(({ path, title }) => ({ href: path, text: title }));

const settingsPage = ({ path, title, settings }: SettingsGroup): WebPage =>
  consolePage({
    path,
    permission: 'manage_settings',
    longTexts: true,
    ...(settings.some(({ kind }) => kind === 'picture') && { files: { maxBytes: MAX_BYTES, maxCount: 2 } }),
    keep: keepTexts(Object.fromEntries(textsAmong(settings).map(({ name, label }) => [name, label]))),
    show: async (request, tried) => {
      const { entity } = await request.api('GET v1/admin/settings');
      const fields = settings.map((each) => settingField(each, entity, tried));
      return {
        title: path === SETTINGS ? 'Settings' : `Settings: ${title}`,
        body: html`${tabs('Groups of settings', LINKS, path)}
          <section class="box">
            ${form(
              request,
              html`${fields}
                <p class="buttons">${button('Save')}</p>`,
              { multipart: true },
            )}
          </section>`,
      };
    },
    submit: async ({ api }, fields, files) => {
      const pictures = Object.entries(files).filter(([, file]) => file !== undefined && file.size > 0);
      await api('PUT v1/admin/settings', {
        body: valuesIn(settings, fields),
        files: Object.fromEntries(pictures) as Record<string, NonNullable<(typeof files)[string]>>,
      });
      return { redirect: saying(path, 'setting') };
    },
  });

const textsAmong = (settings: readonly Setting[]): Setting[] =>
  settings.filter(({ kind }) => ['line', 'text', 'json'].includes(kind));

/** Returns the values of a form. A box that is not ticked sends nothing; an empty list of apps is none. */
function valuesIn(settings: readonly Setting[], fields: Fields) {
  const kinds = new Map(settings.map(({ name, kind }) => [name, kind]));
  return valuesBy([...kinds.keys()], (name) => {
    const kind = kinds.get(name);
    if (kind === 'picture') return undefined;
    const value = fields[name];
    if (kind === 'flag') return asSent(String(value === 'true'));
    return value === undefined || (kind === 'json' && value.trim() === '') ? undefined : asSent(value);
  });
}

function settingField(setting: Setting, settings: AdminSettings, tried: Tried | undefined): Html {
  const { name, label, hint } = setting;
  // A box that is not ticked sends nothing.
  const unsent = tried && setting.kind === 'flag' ? '' : textOf(settings[name], setting.kind);
  const named = { name, label, hint, problems: tried?.byField?.[name] };
  const isChanged = settings.changed.includes(name);
  return html`${controlOf(setting, named, tried?.fields[name] ?? unsent, settings)}
  ${isChanged && html`<p class="quiet"><a href="${SETTINGS}/reset/${name}" aria-label="${`Reset: ${label}`}">Reset</a></p>`}`;
}

function textOf(value: AdminSettings[keyof AdminSettings], kind: Setting['kind']): string {
  if (kind === 'json') return value === null ? '' : JSON.stringify(value, undefined, 2);
  if (Array.isArray(value)) return value.map(String).join(', ');
  return value === null ? '' : String(value);
}

function controlOf(
  setting: Setting,
  named: { name: Setting['name']; label: string; hint: string; problems: readonly string[] | undefined },
  value: string,
  settings: AdminSettings,
): Html {
  switch (setting.kind) {
    case 'line':
      return textField({ ...named, value, autocomplete: 'off' }, setting.most);
    case 'text':
    case 'json':
      return longField({ ...named, value, autocomplete: 'off' }, setting.most);
    case 'flag':
      return checkField({ ...named, checked: value === 'true' });
    case 'choice':
      return radioField({
        ...named,
        label: html`${setting.label} <span class="quiet">${setting.hint}</span>`,
        choices: setting.choices,
        chosen: value,
      });
    case 'picture': {
      const url = settings[setting.name];
      return html`${typeof url === 'string' && html`<p><img class="setting-picture" src="${url}" alt="${`${setting.label} now`}" /></p>`}
      ${fileField({ ...named, accept: 'image/png,image/jpeg,image/webp' })}`;
    }
  }
}

/** `/admin/settings/reset/:name`. */
const resetSettingPage = actPage({
  path: `${SETTINGS}/reset/:name`,
  permission: 'manage_settings',
  ask: ({ params }) => {
    const { group, setting } = settingNamed(params.name);
    return {
      title: `Reset: ${setting.label}`,
      text: 'The setting becomes what it was when the server was new.',
      label: 'Reset',
      look: 'danger',
      back: [group.path, 'Settings'],
    };
  },
  act: async ({ api, params }) => {
    const { group, setting } = settingNamed(params.name);
    await api('PUT v1/admin/settings', { body: { reset: [setting.name] } });
    return saying(group.path, 'setting');
  },
});

/** Throws RookeryError `not_found`. */
function settingNamed(name: string | undefined): { group: SettingsGroup; setting: Setting } {
  for (const group of GROUPS) {
    const setting = group.settings.find((each) => each.name === name);
    if (setting) return { group, setting };
  }
  throw notFound();
}

/** The settings of the server, each with its meaning. */
export const adminSettingsPages: readonly WebPage[] = [...GROUPS.map(settingsPage), resetSettingPage];
