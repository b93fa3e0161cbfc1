import { emptyState } from '#interfaces/web/design/components.ts';
import { dataTable, type Row, stateBadge } from '#interfaces/web/design/data-table.ts';
import { html } from '#interfaces/web/design/html.ts';
import type { LogWitnessStates } from '#mastodon/schemas/index.ts';
import { CHECKPOINTS } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { foldedText } from './checked.ts';

/** The witnesses of the log, and this server as a witness of other logs. */
export const witnessesPage = consolePage({
  path: `${CHECKPOINTS}/witnesses`,
  permission: 'view_audit_log',
  show: async ({ api }) => {
    const { entity } = await api('GET v1/admin/audit/witnesses', {});
    const { witnesses, logs, forks, key } = entity;
    return {
      title: 'Witnesses',
      back: [CHECKPOINTS, 'Checkpoints'],
      body: html`<p>
          A witness is another server that signs a checkpoint only if it continues the one that it signed
          before. So this server cannot show different logs to different people, and nobody can cut off the
          end of its log unnoticed.
        </p>
        ${
          witnesses.length === 0
            ? emptyState({ icon: 'scale', text: 'The setting LOG_WITNESSES names no witness.' })
            : dataTable(OWN, witnesses.map(rowOfWitness), { caption: 'Witnesses of this log' })
        }
        <section class="box">
          <h2>Logs that this server witnesses</h2>
          <p>This server signs as a witness with the key <code class="hash">${key}</code>.</p>
          ${
            logs.length === 0
              ? html`<p>The setting LOG_WITNESS_FOR names no log.</p>`
              : dataTable(OTHERS, logs.map(rowOfLog), { caption: 'Logs that this server witnesses' })
          }
        </section>
        ${forks.map(evidenceOf)}`,
    };
  },
});

const OWN = [
  { title: 'Witness' },
  { title: 'Events', number: true },
  { title: 'Last try' },
  { title: 'State' },
];

const rowOfWitness = (witness: LogWitnessStates['witnesses'][number]): Row => ({
  cells: [
    witness.url,
    witness.size,
    witness.tried_at === null ? 'Never' : moment(witness.tried_at),
    stateOf(witness),
  ],
});

function stateOf({ contradicts, error, posted_at, key }: LogWitnessStates['witnesses'][number]) {
  if (contradicts) return html`${stateBadge('Knows another log', 'bad')} ${error ?? ''}`;
  if (error !== null) return html`${stateBadge('Failed', 'bad')} ${error}`;
  if (posted_at === null) return stateBadge('Not asked yet');
  return key === null ? stateBadge('Posted', 'good') : stateBadge('Signed', 'good');
}

const OTHERS = [{ title: 'Log' }, { title: 'Events', number: true }, { title: 'Signed' }];

const rowOfLog = ({ origin, size, cosigned_at }: LogWitnessStates['logs'][number]): Row => ({
  cells: [origin, size ?? 0, cosigned_at === null ? 'Never' : moment(cosigned_at)],
});

const evidenceOf = (fork: LogWitnessStates['forks'][number]) =>
  html`<section class="box">
    <h2>${fork.proven ? 'Fork' : 'Unproven checkpoint'} of ${fork.origin}</h2>
    <p>
      ${
        fork.proven
          ? `The log signed two different checkpoints of ${fork.size} events. Both are evidence.`
          : `A signed checkpoint of ${fork.size} events came without a proof that it continues the one of ${fork.known_size}.`
      }
      Refused ${moment(fork.seen_at)}.
    </p>
    ${foldedText('Known checkpoint', fork.known_note)} ${foldedText('Refused checkpoint', fork.note)}
  </section>`;
