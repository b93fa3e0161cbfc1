import { buttonLink } from '#interfaces/web/design/components.ts';
import { longField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, SignedInRequest, WebPage } from '#interfaces/web/page/page.ts';
import { notFound } from '#kernel/errors.ts';
import type { Rule } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';

export const RULES = '/admin/rules';
export const BACK = [RULES, 'Rules'] as const;
const MAX_TEXT = 600;
const MAX_HINT = 4_000;
const keep = keepTexts({ text: 'Rule', hint: 'Explanation' });

/** Returns the rule of a page. @throws RookeryError `not_found` */
export async function ruleOf({ api, params }: SignedInRequest<{ id: string }>): Promise<Rule> {
  const { entity: rules } = await api('GET v1/instance/rules');
  const rule = rules.find(({ id }) => id === params.id);
  if (!rule) throw notFound();
  return rule;
}

const newRulePage = actPage({
  path: `${RULES}/new`,
  permission: 'manage_rules',
  keep,
  ask: (_request, tried) => ({
    title: 'Add a rule',
    text: 'It is the last of the list at first. Three to six short rules are read; twenty are not.',
    fields: ruleFields(tried?.fields ?? {}),
    label: 'Add the rule',
    back: BACK,
  }),
  act: async ({ api }, { text = '', hint = '' }) => {
    await api('POST v1/admin/rules', { body: { text, hint } });
    return saying(RULES, 'rule_added');
  },
});

const editRulePage = actPage({
  path: `${RULES}/:id/edit`,
  permission: 'manage_rules',
  keep,
  ask: async (request, tried) => {
    const rule = await ruleOf(request);
    return {
      title: 'Edit a rule',
      text: html`<p>The new text is what users see, also with reports that name the rule.</p>
        ${translationList(rule)}`,
      fields: ruleFields(tried?.fields ?? { text: rule.text, hint: rule.hint }),
      label: 'Save',
      back: BACK,
    };
  },
  act: async ({ api, params }, { text = '', hint = '' }) => {
    await api('PUT v1/admin/rules/:id', { params, body: { text, hint } });
    return saying(RULES, 'rule_changed');
  },
});

const translationList = ({ id, translations = {} }: Rule): Html =>
  html`<h2>Translations</h2>
    <ul>
      ${Object.entries(translations).map(
        ([language, { text }]) =>
          html`<li>
            <span lang="${language}" dir="auto">${text}</span> (${language})
            ${rowLinks(language, [
              [`${RULES}/${id}/translations/${language}`, 'Edit'],
              [`${RULES}/${id}/translations/${language}/remove`, 'Remove'],
            ])}
          </li>`,
      )}
    </ul>
    <p>${buttonLink(`${RULES}/${id}/translate`, 'Add a translation', { look: 'plain' })}</p>
    <h2>The rule itself</h2>`;

/** Declares the page of a new translation, or of the one that its address names. */
const translationPage = (path: `${typeof RULES}/:id/${'translate' | 'translations/:language'}`): WebPage =>
  actPage({
    path,
    permission: 'manage_rules',
    keep,
    ask: async (request, tried) => {
      const rule = await ruleOf(request);
      const language = languageIn(request);
      const known = language === '' ? { text: '', hint: '' } : translationOf(rule, language);
      const fields = tried?.fields ?? { language, ...known };
      return {
        title: 'Translate a rule',
        text: html`<p>Users whose language it is see the translation of:</p>
          <blockquote class="letter" dir="auto">${rule.text}</blockquote>`,
        fields: html`${
          language === '' &&
          textField(
            {
              name: 'language',
              label: 'Language',
              autocomplete: 'off',
              hint: 'A code, such as de or pt-BR.',
              value: fields['language'] ?? '',
            },
            50,
          )
        }
        ${ruleFields(fields)}`,
        label: 'Save the translation',
        back: [`${RULES}/${rule.id}/edit`, 'Edit the rule'],
      };
    },
    act: async (request, { text = '', hint = '', ...fields }) => {
      const { id } = request.params;
      // An empty code would mean the rule itself.
      const given = languageIn(request) || fields['language']?.trim() || 'none';
      await request.api('PUT v1/admin/rules/:id', { params: { id }, body: { text, hint, language: given } });
      return saying(`${RULES}/${id}/edit`, 'rule_changed');
    },
  });

/** Returns the language of the address, and the empty text for a new translation. */
const languageIn = ({ params }: SignedInRequest<{ id: string; language?: string }>): string =>
  params.language ?? '';

/** Throws RookeryError `not_found`. */
function translationOf({ translations = {} }: Rule, language: string): { text: string; hint: string } {
  const known = Object.hasOwn(translations, language) ? translations[language] : undefined;
  if (!known) throw notFound();
  return { text: known.text, hint: known.hint };
}

const removeTranslationPage = actPage({
  path: `${RULES}/:id/translations/:language/remove`,
  permission: 'manage_rules',
  ask: async (request) => {
    const rule = await ruleOf(request);
    const { language } = request.params;
    const { text } = translationOf(rule, language);
    return {
      title: 'Remove a translation',
      text: html`<blockquote class="letter" lang="${language}" dir="auto">${text}</blockquote>
        <p>Users whose language it is see the rule as it is written.</p>`,
      label: 'Remove the translation',
      look: 'danger',
      back: [`${RULES}/${rule.id}/edit`, 'Edit the rule'],
    };
  },
  act: async ({ api, params: { id, language } }) => {
    await api('POST v1/admin/rules/:id/remove_translation', { params: { id }, body: { language } });
    return saying(`${RULES}/${id}/edit`, 'rule_changed');
  },
});

const ruleFields = ({ text = '', hint = '' }: Fields): Html =>
  html`${textField({ name: 'text', label: 'Rule', autocomplete: 'off', value: text }, MAX_TEXT)}
  ${longField({ name: 'hint', label: 'Explanation (optional)', autocomplete: 'off', value: hint }, MAX_HINT)}`;

export const ruleForms: readonly WebPage[] = [
  newRulePage,
  editRulePage,
  translationPage(`${RULES}/:id/translate`),
  removeTranslationPage,
  translationPage(`${RULES}/:id/translations/:language`),
];
