import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { AUDIT, proofPath } from '../addresses.ts';
import { moment } from '../moments.ts';
import { changeList } from './fields.ts';
import { replayHref, sentence } from './sentence.ts';

/** Renders an entry: when, who did what to whom, why, and the values before and after. */
export const auditLine = (entry: AuditEntry): Html =>
  html`<div class="audit-line" id="entry-${entry.id}">
    <p class="when"><a href="${AUDIT}/${entry.id}">${moment(entry.created_at)}</a></p>
    <div class="what">
      <p class="said">${sentence(entry)}.</p>
      ${reasonOf(entry)} ${changeList(entry)} ${linksOf(entry)}
    </div>
  </div>`;

export const reasonOf = ({ text }: AuditEntry): Html | false =>
  text !== null && html`<blockquote class="reason">${text}</blockquote>`;

/** Renders the ways on from an entry. Their names say which entry they belong to. */
export const linksOf = (entry: AuditEntry): Html => {
  const replay = entry.targets.map(replayHref).find((href) => href !== undefined);
  return html`<p class="ways">
    ${replay !== undefined && html`<a href="${replay}">${icon('history')}Replay<span class="hush"> the history behind entry ${entry.id}</span></a>`}
    <a href="${proofPath(entry.id)}"
      >${icon('badge-check')}Prove this<span class="hush"> entry, ${entry.id}</span></a
    >
  </p>`;
};

/** The entries of one command, oldest first: the others follow from the first one. */
export interface Command {
  id: string;
  entries: readonly [AuditEntry, ...AuditEntry[]];
}

/** Folds entries (newest first) that one command made, at the place of its newest one. */
export function commandsIn(entries: readonly AuditEntry[]): Command[] {
  const byId = Map.groupBy(entries, ({ correlation_id }) => correlation_id);
  return [...byId].flatMap(([id, all]) => {
    const [first, ...others] = all.toReversed();
    return first ? [{ id, entries: [first, ...others] as const }] : [];
  });
}

/** Renders a command: its first entry, and the others folded below it. */
export function commandItem({ id, entries: [first, ...others] }: Command): Html {
  const count = others.length;
  return html`<li>
    ${auditLine(first)}
    ${
      count > 0 &&
      html`<details class="rest" id="command-${first.id}">
        <summary>And ${count === 1 ? 'one more entry' : `${count} more entries`} of the same command</summary>
        ${others.map(auditLine)}
        <p class="ways">
          <a href="${AUDIT}?correlation_id=${encodeURIComponent(id)}">All of this command</a>
        </p>
      </details>`
    }
  </li>`;
}
