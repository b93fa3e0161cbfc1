import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import type { AdminTerms } from '#mastodon/schemas/index.ts';
import { actPage, questionPage } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { momentField } from '../moments.ts';
import { recordTable } from '../record-list.ts';

const TERMS = '/admin/terms';
const BACK = [TERMS, 'Terms of service'] as const;
const MAX_TEXT = 200_000;

/** `/admin/terms`: the terms of service, with the days from which they count. */
const termsPage = consolePage({
  path: TERMS,
  permission: 'manage_settings',
  show: async ({ api }) => {
    const { entity: terms } = await api('GET v1/admin/terms');
    return {
      title: 'Terms of service',
      actions: buttonLink(`${TERMS}/new`, 'Publish terms', { icon: 'plus' }),
      body: html`<p class="quiet">
          Published terms stay for ever, because users who agreed to them can read them again.
        </p>
        ${termsTable(terms)}`,
    };
  },
});

const termsTable = (terms: readonly AdminTerms[]): Html =>
  recordTable(terms, {
    columns: ['From', 'State', 'Until', 'Text'],
    cells: (each) => [
      each.effective_date,
      stateOf(each, terms),
      each.succeeded_by ?? '',
      html`<a href="/terms-of-service/${each.effective_date}"
        >Read<span class="hush"> the terms of ${each.effective_date}</span></a
      >`,
    ],
    caption: 'Terms of service, the latest first',
    empty: { icon: 'file-text', text: 'This server has no terms of service.' },
  });

function stateOf({ effective, effective_date }: AdminTerms, terms: readonly AdminTerms[]): Html {
  if (!effective) return stateBadge('To come', 'busy');
  const current = terms.find((each) => each.effective);
  return current?.effective_date === effective_date ? stateBadge('In force', 'good') : stateBadge('Replaced');
}

/** `/admin/terms/new`: asks once more, since terms are published for ever. */
const newTermsPage = actPage({
  path: `${TERMS}/new`,
  permission: 'manage_settings',
  longTexts: true,
  keep: keepTexts({ text: 'Terms' }),
  ask: (_request, tried) => ({
    title: 'Publish terms of service',
    text: 'Write plain text or HTML. The next page shows them once more before they are published.',
    fields: html`${longField({ name: 'text', label: 'Terms', autocomplete: 'off', value: tried?.fields['text'] ?? '' }, MAX_TEXT)}
    ${momentField({ name: 'effective_date', label: 'In force from (UTC)', example: '2026-12-01', hint: 'Later than all terms before. Give users time to read them.', value: tried?.fields['effective_date'] ?? '' })}`,
    label: 'Continue',
    back: BACK,
  }),
  act: async (request, { step, text = '', effective_date = '' }) => {
    if (step === 'confirm') {
      await request.api('POST v1/admin/terms', { body: { text, effective_date } });
      return saying(TERMS, 'terms_published');
    }
    return questionPage(
      request,
      {
        title: 'Publish these terms?',
        text: html`<p>
            They are in force from <strong>${effective_date || 'a day that is missing'}</strong> until later
            ones are, everybody can read them, and they cannot be changed or removed.
          </p>
          <pre class="code long-text" tabindex="0" dir="auto">${text}</pre>`,
        label: 'Publish for ever',
        look: 'danger',
        back: BACK,
      },
      { hidden: { step: 'confirm', text, effective_date }, multipart: true },
    );
  },
});

export const termsPages: readonly WebPage[] = [termsPage, newTermsPage];
