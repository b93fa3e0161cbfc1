import { factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest, Tried } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { ALERTS } from '#mastodon/alerts.ts';
import type { AdminAlert } from '#mastodon/schemas/index.ts';
import { actForm } from '../act-page.ts';
import { ALERTS_PAGE } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { acknowledgedBy, titleOf } from './alerts-page.ts';

const MAX_NOTE = 1_000;

/** `/admin/alerts/:id`: one alert, and the form that acknowledges it. */
export const alertPage = consolePage({
  path: `${ALERTS_PAGE}/:id`,
  permission: 'view_devops',
  show: async (request, tried) => {
    const { id } = request.params;
    const { entity } = await request.api('GET v1/admin/alerts/:id', { params: { id } });
    return {
      title: titleOf(entity),
      back: [ALERTS_PAGE, 'Alerts'],
      body: html`<section class="box">${facts(entity)}</section>
        ${entity.acknowledged_at === null && acknowledgeForm(request, tried)}`,
    };
  },
  submit: async ({ api, params: { id } }, { note = '' }) => {
    try {
      await api('POST v1/admin/alerts/:id/acknowledge', { params: { id }, body: { note } });
    } catch (error) {
      // The page of the alert says who was faster.
      if (isRookeryError(error) && error.code === 'conflict') {
        return { redirect: saying(`${ALERTS_PAGE}/${id}`, 'alert_was_acknowledged') };
      }
      throw error;
    }
    return { redirect: saying(ALERTS_PAGE, 'alert_acknowledged') };
  },
});

const facts = (alert: AdminAlert): Html =>
  factList([
    ['State', alert.resolved_at === null ? stateBadge('Raised', 'bad') : stateBadge('Resolved', 'good')],
    ['Details', alert.detail],
    ['Meaning', ALERTS[alert.name].meaning],
    ['What to do', ALERTS[alert.name].remedy],
    ['Raised', moment(alert.raised_at)],
    ['Acknowledged', acknowledgedBy(alert)],
    ['Note', alert.note !== null && alert.note !== '' && alert.note],
    ['Resolved', alert.resolved_at !== null && moment(alert.resolved_at)],
    ['Metric', html`<code>alert_${alert.name}</code>`],
  ]);

const acknowledgeForm = (request: SignedInRequest, tried: Tried | undefined): Html =>
  html`<section class="box">
    <h2>Acknowledge</h2>
    <p>
      Others see that you are taking care of this, and the audit log records it. The alert stays until its
      cause is gone.
    </p>
    ${actForm(request, {
      fields: longField(
        {
          name: 'note',
          label: 'What are you doing about it?',
          autocomplete: 'off',
          optional: true,
          value: tried?.fields['note'] ?? '',
          problems: tried?.byField?.['note'],
        },
        MAX_NOTE,
      ),
      label: 'Acknowledge',
      back: ALERTS_PAGE,
    })}
  </section>`;
