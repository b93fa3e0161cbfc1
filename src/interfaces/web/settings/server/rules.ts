import {
  addRule,
  editRule,
  MAX_RULE_HINT,
  MAX_RULE_TEXT,
  MAX_RULES,
  removeRule,
} from '#commands/instance/index.ts';
import { longField, textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { keepTexts } from '#interfaces/web/page/kept-texts.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { Fields, SignedInRequest, Tried } from '#interfaces/web/page/page.ts';
import { invalid, notFound } from '#kernel/errors.ts';
import type { Rule } from '#mastodon/schemas/index.ts';
import { rulesOf } from '#queries/instance/index.ts';
import { RULES, staffPage, stepPage } from './steps.ts';

/** `/start/server/rules`. `step` distinguishes the forms of the page. */
export const rulesPage = staffPage('manage_rules', {
  path: RULES,
  show: async (request, tried) => {
    const rules = await rulesOf(request.ctx.db);
    const boxes = [
      html`<p>
          New users agree to the rules when they sign up, and reports name the broken one. Three to six short
          rules are read; twenty are not.
        </p>
        ${rules.length === 0 && html`<p class="quiet">There are no rules yet.</p>`}
        ${rules.map((rule) => ruleBox(request, rule, tried))}`,
      rules.length < MAX_RULES &&
        html`<h2>Add a rule</h2>
          ${form(request, html`${ruleFields('new', isAbout(tried, 'add') ? tried.fields : {})} ${button('Add the rule')}`, { action: RULES, hidden: { step: 'add' } })}`,
    ];
    return stepPage(request, 'Rules', boxes, { tried });
  },
  keep: keepTexts({ text: 'Rule', hint: 'Explanation' }),
  submit: async ({ ctx }, fields) => {
    const { step, id = '', text = '', hint = '' } = fields;
    const texts = { text: oneLine(text), hint: oneLine(hint) };
    switch (step) {
      case 'add':
        await addRule(ctx, texts);
        return { redirect: saying(RULES, 'rule_added') };
      case 'edit':
        await editRule(ctx, { id: idOf(id), ...texts });
        return { redirect: saying(RULES, 'rule_changed') };
      case 'remove':
        await removeRule(ctx, idOf(id));
        return { redirect: saying(RULES, 'rule_removed') };
      default:
        throw invalid('The form is incomplete.');
    }
  },
});

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Throws RookeryError `not_found` for text that is no number of a rule. */
function idOf(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw notFound();
  return Number(text);
}

const isAbout = (tried: Tried | undefined, step: string, id?: string): tried is Tried =>
  tried?.fields['step'] === step && (id === undefined || tried.fields['id'] === id);

function ruleBox(request: SignedInRequest, { id, text, hint }: Rule, tried: Tried | undefined): Html {
  const wasTried = isAbout(tried, 'edit', id);
  const fields = wasTried ? tried.fields : { text, hint };
  return html`<details class="veil" ${wasTried && html`open`}>
    <summary dir="auto">${text}</summary>
    ${form(request, html`${ruleFields(id, fields)} ${button('Save')}`, { action: RULES, hidden: { step: 'edit', id } })}
    ${form(request, html`<button class="danger small" aria-label="${`Remove: ${text}`}">Remove</button>`, { action: RULES, hidden: { step: 'remove', id } })}
  </details>`;
}

const ruleFields = (id: string, { text = '', hint = '' }: Fields): Html =>
  html`${textField(
    { name: 'text', id: `text-${id}`, label: 'Rule', autocomplete: 'off', value: text },
    MAX_RULE_TEXT * 2,
  )}
  ${longField(
    { name: 'hint', id: `hint-${id}`, label: 'Explanation (optional)', autocomplete: 'off', value: hint },
    MAX_RULE_HINT * 2,
  )}`;
