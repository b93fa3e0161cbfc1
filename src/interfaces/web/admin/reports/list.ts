import { selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { stateBadge } from '#interfaces/web/design/data-table.ts';
import { textField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { ago } from '#interfaces/web/entities/texts.ts';
import { hiddenFields } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { placeIn } from '#interfaces/web/page/paging.ts';
import type { QueuedReport } from '#mastodon/schemas/index.ts';
import { reportPath, REPORTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { handleLink, personLink } from '../moderation/people.ts';
import { CATEGORIES, ORIGINS } from '../moderation/words.ts';
import { recordList } from '../record-list.ts';
import { queueTabs, viewOfQueue } from './views.ts';

const PAGE = 20;
const COLUMNS = [
  ...['Report', 'Reported account', 'Reported by', 'Assigned to'],
  { title: 'Posts', number: true },
  { title: 'Notes', number: true },
  'Filed',
];
/** The fields of the filter bar, by the parameters of the API. */
const FILTERS = ['target_origin', 'by_target_domain', 'by_reporter_domain'] as const;
/** Links of other pages lead to the reports of one side. */
const SIDES = ['account_id', 'target_account_id'] as const;

/** Reports that wait, or that were resolved. */
export const reportsPage = consolePage({
  path: REPORTS,
  permission: 'manage_reports',
  show: async (request) => {
    const { query } = request;
    const view = viewOfQueue(query.get('view'));
    const filters = Object.fromEntries(
      [...FILTERS, ...SIDES].flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])),
    );
    const asked = { limit: String(PAGE), ...view.asked, ...filters, ...placeIn(query) };
    const found = await request.api('GET v1/admin/reports/queue', { query: asked });
    const [first] = found.entity;
    return {
      title: 'Reports',
      actions:
        first &&
        first.action_taken_at === null &&
        html`<a class="button" href="${reportPath(first.id)}" aria-keyshortcuts="j">Review reports</a>`,
      body: html`${queueTabs(view, filters)} ${filterBar(request, view.name, filters)}
      ${recordList(request, found, {
        columns: COLUMNS,
        cells: (report) => cellsOf(report, request),
        caption: 'Reports, newest first',
        empty: { icon: 'circle-check', text: nothingIn(view.name, Object.keys(filters).length) },
      })}`,
    };
  },
});

const nothingIn = (view: string, filters: number): string =>
  filters > 0 ? 'No report matches these filters.' : view === 'open' ? 'No report waits.' : 'No reports.';

const cellsOf = (report: QueuedReport, request: SignedInRequest): Html[] => [
  html`<a href="${reportPath(report.id)}">${CATEGORIES[report.category]}</a>${
      report.comment !== '' && html`<br /><span class="excerpt" dir="auto">${report.comment}</span>`
    }`,
  personLink(report.target_account, request),
  handleLink(report.account),
  report.assigned_account
    ? html`${handleLink(report.assigned_account)}`
    : report.action_taken_at === null
      ? stateBadge('Nobody', 'busy')
      : html`<span class="quiet">nobody</span>`,
  html`${report.statuses_count}`,
  html`${report.notes_count}`,
  html`${ago(report.created_at, request.ctx.now)}`,
];

function filterBar({ path }: SignedInRequest, view: string, filters: Readonly<Record<string, string>>): Html {
  const sides = SIDES.filter((name) => filters[name] !== undefined);
  const field = (name: 'by_target_domain' | 'by_reporter_domain', label: string): Html =>
    html`<div>${textField({ name, label, autocomplete: 'off', value: filters[name] ?? '' }, 255)}</div>`;
  return html`<form class="box filter-bar" method="get" action="${path}" aria-label="Filter">
    ${hiddenFields(view === 'open' ? [] : [['view', view]])}
    ${hiddenFields(sides.map((name) => [name, filters[name] ?? '']))}
    <div>
      ${selectField({
        name: 'target_origin',
        label: 'Reported account',
        choices: ORIGINS,
        chosen: filters['target_origin'] ?? '',
      })}
    </div>
    ${field('by_target_domain', 'Its domain')} ${field('by_reporter_domain', 'Domain of the reporter')}
    <div class="buttons">
      <button type="submit" class="plain">Filter</button>
      ${Object.keys(filters).length > 0 && buttonLink(path, 'Reset', { look: 'plain' })}
    </div>
  </form>`;
}
