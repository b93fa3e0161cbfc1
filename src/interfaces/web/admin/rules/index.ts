import { buttonLink } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { action } from '#interfaces/web/page/action.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest, WebPage } from '#interfaces/web/page/page.ts';
import type { Rule } from '#mastodon/schemas/index.ts';
import { actPage, rowLinks } from '../act-page.ts';
import { consolePage } from '../console-page.ts';
import { recordTable } from '../record-list.ts';
import { BACK, ruleForms, ruleOf, RULES } from './form.ts';

/** `/admin/rules`: the rules of this server, in their order. */
const rulesPage = consolePage({
  path: RULES,
  permission: 'manage_rules',
  show: async (request) => {
    const { entity: rules } = await request.api('GET v1/instance/rules');
    return {
      title: 'Rules',
      actions: buttonLink(`${RULES}/new`, 'Add a rule', { icon: 'plus' }),
      body: html`<p class="quiet">
          New users agree to the rules when they sign up, and reports name the broken one.
        </p>
        ${ruleTable(request, rules)}`,
    };
  },
});

const ruleTable = (request: SignedInRequest, rules: readonly Rule[]): Html =>
  recordTable(rules, {
    columns: ['Rule', 'Explanation', 'Translations', 'Place', 'Actions'],
    cells: (rule, index) => [
      html`<span dir="auto">${rule.text}</span>`,
      html`<span dir="auto">${rule.hint}</span>`,
      Object.keys(rule.translations ?? {}).join(', '),
      moveButtons(request, rule, { place: index + 1, last: rules.length }),
      rowLinks(rule.text, [
        [`${RULES}/${rule.id}/edit`, 'Edit'],
        [`${RULES}/${rule.id}/remove`, 'Remove'],
      ]),
    ],
    caption: 'Rules in their order',
    empty: { icon: 'scroll-text', text: 'There are no rules yet.' },
  });

/** Renders the buttons that move a rule; nothing of it has to be confirmed. */
const moveButtons = (
  request: SignedInRequest,
  { id, text }: Rule,
  { place, last }: { place: number; last: number },
): Html => {
  const to = (target: number, label: string): Html =>
    html`<button class="plain small" name="place" value="${target}" aria-label="${`${label}: ${text}`}">
      ${label}
    </button>`;
  return form(request, html`${place > 1 && to(place - 1, 'Up')} ${place < last && to(place + 1, 'Down')}`, {
    action: `/web/v1/admin/rules/${id}/move`,
    hidden: { return_to: RULES },
  });
};

/** `/admin/rules/:id/remove`. */
const removeRulePage = actPage({
  path: `${RULES}/:id/remove`,
  permission: 'manage_rules',
  ask: async (request) => {
    const { text } = await ruleOf(request);
    return {
      title: 'Remove a rule',
      text: html`<blockquote class="letter" dir="auto">${text}</blockquote>
        <p>
          New users no longer agree to it, and new reports cannot name it. Reports that name it keep it.
        </p>`,
      label: 'Remove the rule',
      look: 'danger',
      back: BACK,
    };
  },
  act: async ({ api, params }) => {
    await api('DELETE v1/admin/rules/:id', { params });
    return saying(RULES, 'rule_removed');
  },
});

/** The rules that users accept when they sign up. */
export const adminRulePages: readonly WebPage[] = [
  rulesPage,
  ...ruleForms,
  removeRulePage,
  action('POST v1/admin/rules/:id/move', { notice: 'rule_changed', leadsTo: () => RULES }),
];
