import { selectField } from '#interfaces/web/design/choice-fields.ts';
import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { addressWith } from '#interfaces/web/page/address-with.ts';
import { problemBox } from '#interfaces/web/page/forms.ts';
import { type KeptFile, type SignedInRequest, textFile } from '#interfaces/web/page/page.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import type { TransparencyReport } from '#mastodon/schemas/index.ts';
import { PERIODS } from '#mastodon/transparency.ts';
import { consolePage } from '../console-page.ts';
import { problemWith } from '../problem-with.ts';
import { charts, figures } from './figures.ts';
import { periodDetails } from './period.ts';
import { PERIOD_NAMES, periodLabel } from './words.ts';

const TRANSPARENCY = '/admin/transparency';

type Asked = Readonly<Record<'by' | 'from' | 'until' | 'show', string>>;

const askedIn = ({ query }: SignedInRequest): Asked => ({
  by: query.get('by') || 'month',
  from: query.get('from')?.trim() ?? '',
  until: query.get('until')?.trim() ?? '',
  show: query.get('show') ?? '',
});

/** `/admin/transparency`: sanctions, reports and appeals by period, as charts, tables and files. */
export const transparencyPage = consolePage({
  path: TRANSPARENCY,
  permission: 'view_audit_log',
  show: async (request) => {
    const asked = askedIn(request);
    const format = request.query.get('format');
    if (format === 'csv' || format === 'json') return fileOf(request, asked, format);
    const report = await reportOf(request, asked);
    const isWrong = typeof report === 'string';
    return {
      title: 'Transparency report',
      status: isWrong ? 422 : 200,
      actions: !isWrong && html`${fileLink(asked, 'csv')} ${fileLink(asked, 'json')}`,
      body: html`${isWrong && problemBox({ problems: [report] })} ${rangeForm(asked)}
      ${!isWrong && content(report, asked)}`,
    };
  },
});

const queryOf = ({ by, from, until }: Asked) => ({ by: asSent(by), from, until });

/** Returns the report, or what is wrong with the range. */
const reportOf = (request: SignedInRequest, asked: Asked): Promise<TransparencyReport | string> =>
  request
    .api('GET v1/admin/transparency', { query: queryOf(asked) })
    .then(({ entity }) => entity)
    .catch(problemWith);

async function fileOf(request: SignedInRequest, asked: Asked, format: 'csv' | 'json'): Promise<KeptFile> {
  const name = `transparency-by-${asked.by}-${request.ctx.now.slice(0, 10)}.${format}`;
  if (format === 'csv') {
    const { entity } = await request.api('GET v1/admin/transparency/csv', { query: queryOf(asked) });
    return { file: name, type: 'text/csv; charset=utf-8', content: entity };
  }
  const { entity } = await request.api('GET v1/admin/transparency', { query: queryOf(asked) });
  return textFile(name, 'application/json; charset=utf-8', `${JSON.stringify(entity, null, 2)}\n`);
}

function addressOf(asked: Asked, more: Readonly<Record<string, string>>): string {
  const pairs = Object.entries({ ...asked, ...more }).filter(([, value]) => value !== '');
  return addressWith(TRANSPARENCY, pairs);
}

const fileLink = (asked: Asked, format: 'csv' | 'json'): Html =>
  buttonLink(
    addressOf({ ...asked, show: '' }, { format }),
    html`<span class="hush">This report as </span>${format.toUpperCase()}`,
    { look: 'plain', icon: 'download' },
  );

const rangeForm = ({ by, from, until }: Asked): Html =>
  html`<form class="box audit-filter" method="get" action="${TRANSPARENCY}">
    <div class="filter-bar">
      <div>
        ${selectField({
          name: 'by',
          label: 'By',
          chosen: by,
          choices: PERIODS.map((value) => ({ value, label: PERIOD_NAMES[value] })),
        })}
      </div>
      ${monthField('from', 'From month', from)} ${monthField('until', 'Until month', until)}
      <div class="buttons"><button>${icon('calendar')}Show</button></div>
    </div>
  </form>`;

const monthField = (name: string, label: string, value: string): Html =>
  html`<div>
    <label for="${name}">${label}</label>
    <input
      type="text"
      id="${name}"
      name="${name}"
      value="${value}"
      maxlength="20"
      placeholder="2026-11"
      autocomplete="off"
    />
  </div>`;

function content(report: TransparencyReport, asked: Asked): Html {
  const { periods } = report;
  const shown = periods.find(({ period }) => period === asked.show) ?? periods[0];
  if (!shown)
    return emptyState({
      icon: 'calendar',
      text: 'These times are in the future: there is nothing to report.',
    });
  return html`${figures(shown)} ${charts(periods)}
    <nav class="tags" aria-label="Periods">
      ${periods.map(
        ({ period }) =>
          html`<a
            class="tag"
            href="${addressOf(asked, { show: period })}"
            ${period === shown.period && html`aria-current="true"`}
            >${periodLabel(period)}</a
          > `,
      )}
    </nav>
    ${periodDetails(shown)} ${explanation()}`;
}

const explanation = (): Html =>
  html`<section class="box">
    <h2>How this is counted</h2>
    <p>
      A month, quarter or year begins at midnight UTC. Sanctions and reversals count when they were done,
      reports and appeals when they were filed, with what has become of them until now. The articles are those
      of the EU’s Digital Services Act. Restrictions of payments, disputes before bodies outside of court, and
      orders of authorities are not recorded here.
    </p>
    <p>
      Grounds with fewer than five appeals in a period, and roles in which fewer than five people made
      appealed decisions, are counted together, so that no person can be singled out. A role is the one that
      the moderator had at the time of the decision.
    </p>
    <p>
      Anybody with an export of the log can make the same numbers of it, without this server:
      <code>rookery audit report --file log.ndjson</code>
    </p>
  </section>`;
