import { factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { longField } from '#interfaces/web/design/fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import type { KeptCheckpoint } from '#mastodon/schemas/index.ts';
import { CHECKPOINTS } from '../addresses.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';

const MAX_TEXT = 50_000;

/** Takes checkpoints that an auditor kept, and says whether the log still contains them. Stores nothing. */
export const comparePage = consolePage({
  path: `${CHECKPOINTS}/compare`,
  permission: 'view_audit_log',
  show: (request, tried) => content(request, tried?.fields['checkpoints'] ?? ''),
  submit: async (request, { checkpoints = '' }) => {
    const { entity } = await request.api('POST v1/admin/audit/checkpoints/compare', {
      body: { checkpoints },
    });
    return content(request, checkpoints, html`${entity.map(outcome)}`);
  },
});

const content = (request: SignedInRequest, text: string, outcomes?: Html): ConsoleContent => ({
  title: 'Compare a kept checkpoint',
  back: [CHECKPOINTS, 'Checkpoints'],
  body: html`${outcomes}
  ${form(
    request,
    html`${longField(
      {
        name: 'checkpoints',
        label: 'Checkpoints',
        hint: 'As you kept them, with the lines of their signatures; one or several. Nothing is stored.',
        autocomplete: 'off',
        value: text,
      },
      MAX_TEXT,
    )}
    ${button('Compare')}`,
  )}`,
});

function outcome(kept: KeptCheckpoint): Html {
  const { origin, size, root, signed, log_root } = kept;
  const [text, look] = wordsFor(kept);
  return html`<section class="box outcome" aria-label="${`Checkpoint of ${counted(size, 'event')}`}">
    <p role="status">${stateBadge(look === 'good' ? 'Contained' : 'Attention', look)} ${text}</p>
    ${factList([
      ['Log', origin],
      ['Events', size],
      [
        'Kept root',
        html`<code class="hash">${root}</code>
          <span class="quiet">(the one hash that stands for all events)</span>`,
      ],
      ['Root of the log', log_root !== null && html`<code class="hash">${log_root}</code>`],
      ['Signature', signed ? 'Of this server' : 'Not of this server'],
    ])}
  </section>`;
}

function wordsFor({ size, signed, verdict, divergence }: KeptCheckpoint): [string, 'good' | 'bad'] {
  const events = counted(size, 'event');
  if (!signed) {
    return [
      verdict === 'contained'
        ? `The log has this root at ${events}, but this server did not sign the checkpoint: it proves nothing.`
        : 'This server did not sign this checkpoint: it is of another log, or forged.',
      'bad',
    ];
  }
  if (verdict === 'contained') return [`The log still contains this checkpoint of ${events}.`, 'good'];
  if (divergence !== null) {
    return [
      `The log contradicts this checkpoint of ${events}. The operator accepted that, signed, as divergence ${divergence}.`,
      'bad',
    ];
  }
  if (verdict === 'ahead') {
    return [
      `The log ends before this checkpoint of ${events}: its end is missing, or no newer checkpoint is signed yet.`,
      'bad',
    ];
  }
  return [`The log contradicts this checkpoint of ${events}: events before it were changed.`, 'bad'];
}
