import { Readable } from 'node:stream';
import { buttonLink } from '#interfaces/web/design/components.ts';
import { factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { zipOf } from '#interfaces/web/page/zip.ts';
import type { CaseEvent, CaseEvidence, CaseFile } from '#mastodon/schemas/index.ts';
import { AUDIT, casePath } from '../addresses.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { changeList } from './fields.ts';
import { reasonOf } from './line.ts';
import { sentence } from './sentence.ts';

/** Everything about one decision, made for print, and as an archive that strangers verify. */
export const auditCasePage = consolePage({
  path: `${AUDIT}/:id/case`,
  permission: 'view_audit_log',
  show: async ({ api, params: { id }, query }) => {
    const { entity } = await api('GET v1/admin/audit/:id/case', { params: { id } });
    if (query.get('download') === 'zip') {
      return {
        file: `case-${id}.zip`,
        type: 'application/zip',
        content: Readable.from([zipOf(entity.files)]),
      };
    }
    return {
      title: `Case of entry ${id}`,
      back: [`${AUDIT}/${id}`, 'Entry'],
      actions: buttonLink(`${casePath(id)}?download=zip`, 'Archive with proofs (ZIP)', {
        icon: 'download',
        look: 'plain',
      }),
      body: shown(entity),
    };
  },
});

const shown = ({ entry, made_at, events, rules, evidence, left_out, key }: CaseFile): Html =>
  html`<section class="box case">
      <p class="said">${sentence(entry)}.</p>
      ${reasonOf(entry)} ${changeList(entry)}
      ${factList([
        ['Decided', moment(entry.created_at)],
        ['This file made', moment(made_at)],
      ])}
    </section>
    ${
      rules.length > 0 &&
      html`<section class="box case">
        <h2>Rules</h2>
        <p class="hint">As they read at the decision.</p>
        <ul>
          ${rules.map(({ text }) => html`<li>${text}</li>`)}
        </ul>
      </section>`
    }
    ${
      evidence.length > 0 &&
      html`<section class="box case">
        <h2>Posts as they were reported</h2>
        ${evidence.map(post)}
      </section>`
    }
    <section class="box case">
      <h2>Events</h2>
      ${events.map(eventShown)}
    </section>
    <section class="box case">
      <h2>Left out</h2>
      ${
        left_out.length === 0
          ? html`<p>Nothing.</p>`
          : html`<ul>
              ${left_out.map((each) => html`<li>${each}</li>`)}
            </ul>`
      }
    </section>
    <section class="box case">
      <h2>Verify it elsewhere</h2>
      <p>
        The archive has each event as it was hashed, with its proof, and two programs that verify them without
        this server: <code>python3 verify.py KEY</code> and <code>node verify.mjs KEY</code>. KEY is the key
        that you kept:
      </p>
      <pre class="code" tabindex="0" aria-label="Key">${key}</pre>
    </section>`;

const post = ({ id, created_at, acct, spoiler_text, text, media }: CaseEvidence): Html =>
  html`<article>
    <p><strong>@${acct}</strong>, ${moment(created_at)}, post <code>${id}</code></p>
    ${spoiler_text !== '' && html`<p>Content warning: ${spoiler_text}</p>`}
    <blockquote class="reason">${text}</blockquote>
    ${
      media.length > 0 &&
      html`<ul>
        ${media.map(({ type, description }) => html`<li>${type}: ${description ?? 'no description'}</li>`)}
      </ul>`
    }
  </article>`;

const PROVEN =
  'The log proves this event. Personal texts in it are encrypted there, and shown on the word of this server.';
const UNPROVEN = 'No signed checkpoint covers this event yet.';

const eventShown = ({ position, type, time, actor, data, erased, left_out, proof }: CaseEvent): Html =>
  html`<article>
    <h3>${type}</h3>
    ${factList([
      ['Time', moment(time)],
      ['Position in the log', html`<code>${position}</code>`],
      ['Account that acted', actor !== null && html`<code>${actor.id}</code> ${actor.role ?? ''}`],
      ...Object.entries(data ?? {}).map(([name, value]): readonly [string, string] => [name, textOf(value)]),
      [
        'Left out',
        left_out.length > 0 && `${left_out.join(', ')}${erased ? ' (erased with the account)' : ''}`,
      ],
    ])}
    <p class="hint">${proof === null ? UNPROVEN : PROVEN}</p>
  </article>`;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
