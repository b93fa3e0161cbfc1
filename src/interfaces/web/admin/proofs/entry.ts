import { buttonLink, emptyState } from '#interfaces/web/design/components.ts';
import { factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { type KeptFile, textFile } from '#interfaces/web/page/page.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { numberText } from '#kernel/quantities.ts';
import type { AuditEntry, EntryProof } from '#mastodon/schemas/index.ts';
import { AUDIT, proofPath, PROOFS } from '../addresses.ts';
import { sentence } from '../audit/sentence.ts';
import { type ConsoleContent, consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { actBox, eventsOf, fileLinks, fileName, foldedEvents } from './act.ts';
import { checkedBox, foldedText } from './checked.ts';

/** Proves one line of the audit: by the server's word, in the browser, and by files to check elsewhere. */
export const entryProofPage = consolePage({
  path: `${PROOFS}/:entry`,
  permission: 'view_audit_log',
  show: async ({ api, params: { entry: id }, query }) => {
    try {
      const { entity } = await api('GET v1/admin/audit/:id/proof', { params: { id } });
      return fileOf(entity, query.get('download'), query.get('position')) ?? shown(entity);
    } catch (error) {
      if (!isRookeryError(error) || error.code !== 'not_found') throw error;
      // If the entry is there, what is missing is a checkpoint.
      return notCovered((await api('GET v1/admin/audit/:id', { params: { id } })).entity);
    }
  },
});

const titleOf = ({ id }: AuditEntry): string => `Proof of entry ${id}`;

const notCovered = (entry: AuditEntry): ConsoleContent => ({
  title: titleOf(entry),
  back: BACK,
  body: html`${about(entry)}
  ${emptyState({
    icon: 'clock',
    text: 'No signed checkpoint covers this entry yet. The server signs one about once a minute: load this page again then.',
  })}`,
});

const BACK = [AUDIT, 'Audit log'] as const;

function shown(proof: EntryProof): ConsoleContent {
  const { entry, signed, key, tree_size: size } = proof;
  const path = proofPath(entry.id);
  return {
    title: titleOf(entry),
    actions: html`${buttonLink(`${path}?download=proof`, 'Proof (JSON)', { icon: 'download', look: 'plain' })}
    ${buttonLink(`${path}?download=event`, 'Event to verify', { icon: 'download', look: 'plain' })}`,
    back: BACK,
    body: html`${about(entry)}
    ${checkedBox(
      [
        ...eventsOf(proof).map(({ holds, type, leaf_index }) => ({
          good: holds,
          text: holds
            ? `${type} is number ${numberText(leaf_index + 1)} of the ${numberText(size)} events of the newest checkpoint.`
            : `The hashes of ${type} do not lead to the root of the newest checkpoint: the log was changed.`,
        })),
        {
          good: signed,
          text: signed
            ? 'The checkpoint has the signature of this server.'
            : 'The checkpoint has no signature of this server.',
        },
      ],
      {
        kind: 'entry',
        ...proof,
        event_id: entry.event_id,
        entry: undefined,
        file: undefined,
        facts: undefined,
      },
    )}
    ${actBox(proof)} ${elsewhere(proof)} ${foldedEvents(proof)}
    ${foldedText('The checkpoint', proof.checkpoint)} ${foldedText('The key of this server', key)}`,
  };
}

const elsewhere = (proof: EntryProof): Html =>
  html`<section class="box">
    <h2>Check it elsewhere</h2>
    <p>
      The word of a server about itself is worth little. Download the file of each event, and check it on a
      machine that this server cannot reach, with a copy of Rookery and the key that you kept. No database is
      needed:
    </p>
    ${fileLinks(proof)}
    <pre class="code" tabindex="0" aria-label="Command">
${`npx rookery log verify --file line-${proof.entry.id}.ndjson --checkpoint checkpoints.txt --key '${proof.key}'`}</pre>
    <p>
      <code>checkpoints.txt</code> has the checkpoints that you kept, if you have any. The proof as JSON is
      for other programs, and has all events. A leaf is an event as it was hashed, and the root is the one
      hash that stands for all events of the checkpoint: the SHA-256 of a zero byte and <code>leaf</code> is
      <code>leaf_hash</code>, and with <code>hashes</code> it gives the root in <code>checkpoint</code>, the
      same for each event (<a href="https://www.rfc-editor.org/rfc/rfc9162#section-2.1.3.2" rel="noreferrer"
        >RFC 9162</a
      >).
    </p>
  </section>`;

const about = (entry: AuditEntry): Html =>
  html`<section class="box">
    <p>${sentence(entry)}.</p>
    ${factList([
      ['Time', moment(entry.created_at)],
      ['Action', html`<code>${entry.action}</code>`],
      ['Position in the log', entry.position],
      ['Event', html`<code>${entry.event_id}</code>`],
    ])}
  </section>`;

/** Returns the file with this name; undefined for any other. */
function fileOf(
  { file, ...proof }: EntryProof,
  name: string | null,
  position: string | null,
): KeptFile | undefined {
  if (name === 'event') {
    const other = proof.others.find((each) => each.position === position);
    const title = fileName(proof.entry.id, other?.position ?? proof.position);
    return textFile(title, 'application/x-ndjson', other?.file ?? file);
  }
  if (name !== 'proof') return undefined;
  return textFile(`line-${proof.entry.id}.json`, 'application/json', `${JSON.stringify(proof, null, 2)}\n`);
}
