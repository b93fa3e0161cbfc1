import { checkField, radioField } from '#interfaces/web/design/choice-fields.ts';
import { html } from '#interfaces/web/design/html.ts';
import { form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import { asSent, textsIn } from '#interfaces/web/page/sent-texts.ts';
import { reportPath, REPORTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { decisionButtons } from '../moderation/decision.ts';
import { CATEGORIES } from '../moderation/words.ts';
import { caseOf } from './report.ts';

/** Changes the category of a report, and the rules that it cites. */
export const reportCategoryPage = consolePage({
  path: `${REPORTS}/:id/category`,
  permission: 'manage_reports',
  nested: true,
  show: async (request, tried) => {
    const { report } = await caseOf(request);
    const { entity: rules } = await request.api('GET v1/instance/rules');
    const back = reportPath(report.id);
    const cited = new Set(report.rules.map(({ id }) => id));
    return {
      title: 'Category of the report',
      back: [back, 'The report'],
      body: html`<section class="box decision">
        ${form(
          request,
          html`${radioField({
              name: 'category',
              label: 'What it is about',
              choices: Object.entries(CATEGORIES).map(([value, label]) => ({ value, label })),
              chosen: tried?.fields['category'] ?? report.category,
            })}
            <fieldset>
              <legend>Rules that were broken, for the category “${CATEGORIES.violation}”</legend>
              ${rules.map(({ id, text }) =>
                checkField({
                  name: 'rule_ids[]',
                  id: `rule-${id}`,
                  value: id,
                  label: text,
                  checked: cited.has(id),
                }),
              )}
            </fieldset>
            ${decisionButtons({ label: 'Save', back })}`,
        )}
      </section>`,
    };
  },
  submit: async ({ api, params }, { category = '' }, _files, { rule_ids }) => {
    const body = { category: asSent(category), rule_ids: category === 'violation' ? textsIn(rule_ids) : [] };
    await api('PUT v1/admin/reports/:id', { params, body });
    return { redirect: saying(reportPath(params.id), 'report_changed') };
  },
});
