import { buttonLink } from '#interfaces/web/design/components.ts';
import { html } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import { textFile } from '#interfaces/web/page/page.ts';
import type { CheckpointProof } from '#mastodon/schemas/index.ts';
import { CHECKPOINTS } from '../addresses.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { checkedBox, foldedText } from './checked.ts';

/** Proves that the newest checkpoint continues an earlier one. */
export const checkpointPage = consolePage({
  path: `${CHECKPOINTS}/:size`,
  permission: 'view_audit_log',
  show: async ({ api, params, query }) => {
    const { entity: proof } = await api('GET v1/admin/audit/checkpoints/:size', {
      params: { size: params.size },
    });
    if (query.get('download') !== 'proof') return shown(proof);
    const text = `${JSON.stringify(proof, null, 2)}\n`;
    return textFile(`checkpoint-${proof.from}.json`, 'application/json', text);
  },
});

function shown(proof: CheckpointProof): ConsoleContent {
  const { from, to, holds, signed, key } = proof;
  return {
    title: `Checkpoint of ${counted(from, 'event')}`,
    actions: buttonLink(`${CHECKPOINTS}/${from}?download=proof`, 'Proof (JSON)', {
      icon: 'download',
      look: 'plain',
    }),
    back: [CHECKPOINTS, 'Checkpoints'],
    body: html`${checkedBox(
        [
          {
            good: holds,
            text: holds
              ? `The ${counted(to, 'event')} of the newest checkpoint begin with the ${from} of this one.`
              : 'The newest checkpoint does not continue this one: the log was changed.',
          },
          {
            good: signed,
            text: signed
              ? 'Both checkpoints have the signature of this server.'
              : 'One of the checkpoints has no signature of this server.',
          },
        ],
        { kind: 'checkpoint', ...proof },
      )}
      <section class="box">
        <h2>Check it elsewhere</h2>
        <p>
          Keep this checkpoint, and compare an export of the whole log with it on a machine that this server
          cannot reach:
        </p>
        <pre class="code" tabindex="0" aria-label="Command">
${`npx rookery log verify --file export.ndjson --checkpoint checkpoint.txt --key '${key}'`}</pre>
        <p>
          The proof as JSON is for other programs (<a
            href="https://www.rfc-editor.org/rfc/rfc9162#section-2.1.4.2"
            rel="noreferrer"
            >RFC 9162</a
          >). The operator gets the same by <code>npx rookery log consistency ${from}</code>.
        </p>
      </section>
      ${foldedText('This checkpoint', proof.checkpoint)} ${foldedText('The newest checkpoint', proof.newest)}
      ${foldedText('The hashes of the proof', proof.hashes.join('\n'))}`,
  };
}
