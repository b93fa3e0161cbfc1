import { factList, stateBadge } from '#interfaces/web/design/data-table.ts';
import { type Html, html, type Part } from '#interfaces/web/design/html.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { AdminEvent, AdminEventPage } from '#mastodon/schemas/index.ts';

/** Returns who or what an event is by: a user with the role, a reactor, the command line, another server. */
export function authorOf({ actor, rule, remote }: Pick<AdminEvent, 'actor' | 'rule' | 'remote'>): string {
  if (rule !== null) return rule;
  if (remote !== null) return remote;
  if (!actor) return 'the server';
  const name = actor.username === null ? `account ${actor.id}` : `@${actor.username}`;
  return actor.role === null ? name : `${name} (${actor.role})`;
}

/** Renders how the personal fields of an event are kept. */
export function personalBadge({ personal }: Pick<AdminEvent, 'personal'>): Html | false {
  if (!personal) return false;
  if (personal.damaged) return stateBadge('Damaged', 'bad');
  if (personal.erased) return stateBadge('Erased', 'bad');
  return personal.encrypted ? stateBadge('Encrypted', 'busy') : stateBadge('Personal');
}

/** Says how far a look into the log went. */
export function lookedText({ events, first, last }: AdminEventPage['looked']): string {
  if (first === null || last === null) return 'There are no events there.';
  return `Searched ${counted(events, 'event')}, from position ${first} to ${last}.`;
}

/** Renders a payload as names with their values. */
export function payload(data: Readonly<Record<string, unknown>>): Html {
  const entries = Object.entries(data);
  if (entries.length === 0) return html`<p class="quiet">No fields.</p>`;
  return factList(entries.map(([name, value]) => [name, valueOf(value)] as const));
}

function valueOf(value: unknown): Part {
  if (value === null || value === undefined) return html`<em>nothing</em>`;
  if (value === '') return html`<em>an empty text</em>`;
  if (Array.isArray(value)) return listOf(value);
  if (typeof value === 'object') return payload(value as Record<string, unknown>);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value as string | number;
}

const listOf = (values: readonly unknown[]): Html =>
  values.length === 0
    ? html`<em>an empty list</em>`
    : html`<ul class="values">
        ${values.map((value) => html`<li>${valueOf(value)}</li>`)}
      </ul>`;
