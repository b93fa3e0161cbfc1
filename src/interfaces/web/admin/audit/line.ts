import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import type { AuditEntry } from '#mastodon/schemas/index.ts';
import { AUDIT, proofPath } from '../addresses.ts';
import { moment } from '../moments.ts';
import { gravity } from './acts.ts';
import { changeList } from './fields.ts';
import { alsoText, replayHref, sentence } from './sentence.ts';

/**
 * Renders an entry: when, who did what to whom, why, and the values before and after. The sentence names what the same
 * command did in `others` too.
 */
export const auditLine = (entry: AuditEntry, others: readonly AuditEntry[] = []): Html =>
  html`<div class="audit-line" id="entry-${entry.id}">
    <p class="when"><a href="${AUDIT}/${entry.id}">${moment(entry.created_at)}</a></p>
    <div class="what">
      <p class="said">${sentence(entry)}${alsoText(entry, others)}.</p>
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

/** The entries of one command: the gravest, and the others, oldest first. */
export interface Command {
  id: string;
  entries: readonly [AuditEntry, ...AuditEntry[]];
}

/** Folds entries (newest first) that one command made, at the place of its newest one. */
export function commandsIn(entries: readonly AuditEntry[]): Command[] {
  const byId = Map.groupBy(entries, ({ correlation_id }) => correlation_id);
  return [...byId].flatMap(([id, all]) => {
    const [head, ...others] = gravestFirst(all.toReversed());
    return head ? [{ id, entries: [head, ...others] as const }] : [];
  });
}

/** Moves the gravest entry, of several the oldest, to the front. */
export function gravestFirst(entries: readonly AuditEntry[]): AuditEntry[] {
  const gravest = entries.toSorted((a, b) => gravity(a.action) - gravity(b.action)).at(0);
  return gravest ? [gravest, ...entries.filter((entry) => entry !== gravest)] : [];
}

/** Renders a command: its gravest entry, whose sentence names the next grave one too, and the others folded below it. */
export function commandItem({ id, entries: [head, ...others] }: Command): Html {
  const count = others.length;
  return html`<li>
    ${auditLine(head, others)}
    ${
      count > 0 &&
      html`<details class="rest" id="command-${head.id}">
        <summary>And ${count === 1 ? 'one more entry' : `${count} more entries`} of the same command</summary>
        ${others.map((other) => auditLine(other))}
        <p class="ways">
          <a href="${AUDIT}?correlation_id=${encodeURIComponent(id)}">All of this command</a>
        </p>
      </details>`
    }
  </li>`;
}
