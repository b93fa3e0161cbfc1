import { factList } from '#interfaces/web/design/data-table.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { numberText } from '#kernel/quantities.ts';
import type { EntryProof, EventOfAct, ShownFact } from '#mastodon/schemas/index.ts';
import { proofPath } from '../addresses.ts';
import { actName } from '../audit/acts.ts';
import { fieldName } from '../audit/fields.ts';
import { foldedText } from './checked.ts';

/** Returns the events of a proof in the order of the log. */
export const eventsOf = ({
  position,
  type,
  leaf,
  leaf_index,
  leaf_hash,
  hashes,
  holds,
  file,
  others,
}: EntryProof) =>
  [{ position, type, leaf, leaf_index, leaf_hash, hashes, holds, file }, ...others].toSorted(
    (one, other) => one.leaf_index - other.leaf_index,
  );

/** Renders the events of an act, each with what it proves of the entry, and what is in none of them. */
export function actBox(proof: EntryProof): Html {
  const { facts, uncovered } = proof;
  const unproven = facts.filter(({ position }) => position === null);
  return html`<section class="box">
    <h2>What each event proves</h2>
    ${factList([
      ...eventsOf(proof).map((event): readonly [string, Html] => [eventName(event), provenBy(event, facts)]),
      ['In no proven event', unproven.length > 0 && list(unproven)],
    ])}
    ${
      uncovered.length > 0 &&
      html`<p>
        No signed checkpoint covers
        ${uncovered.length === 1 ? 'one newer event' : `${uncovered.length} newer events`} of this act yet:
        load this page again in a minute.
      </p>`
    }
    <p class="quiet">
      Names are looked up when the page is made, and values before a change are in earlier events. A sealed
      text is encrypted in the log: the proof covers it, and only this server can read it.
    </p>
  </section>`;
}

const eventName = ({ type, leaf_index }: EventOfAct): string =>
  `${type}, number ${numberText(leaf_index + 1)}`;

function provenBy({ position }: EventOfAct, facts: readonly ShownFact[]): Html {
  const proven = facts.filter((fact) => fact.position === position);
  return proven.length === 0 ? html`Nothing that the entry shows; it is part of the act.` : list(proven);
}

const list = (facts: readonly ShownFact[]): Html =>
  html`<ul>
    ${facts.map((fact) => html`<li>${factText(fact)}</li>`)}
  </ul>`;

const NAMES: Readonly<Record<ShownFact['fact'], string>> = {
  time: 'the time',
  actor: 'who acted: the account',
  role: 'the role',
  app: 'the app: the id',
  action: 'what was done:',
  target: 'about',
  text: 'the text of staff',
  mail: 'the mail to the user',
  value_before: 'the value before, of',
  name_of_actor: 'the name of who acted:',
  name_of_app: 'the name of the app:',
  name_of_target: 'the name:',
};

function factText({ fact, value, sealed }: ShownFact): string {
  const name = NAMES[fact];
  if (sealed) return `${name}, sealed`;
  if (fact === 'action') return `${name} ${actName(value as Parameters<typeof actName>[0])}`;
  if (fact === 'value_before') return `${name} ${fieldName(value)}`;
  return `${name} ${value}`.trim();
}

/** Renders the hashed forms and the hashes of all events, folded, and the ways to the files. */
export const foldedEvents = (proof: EntryProof): Html =>
  html`${eventsOf(proof).map(({ type, leaf, leaf_hash, hashes }) => {
    const texts = [leaf_hash, ...hashes].join('\n');
    return html`${foldedText(`The event ${type} as it was hashed`, leaf)}
    ${foldedText(`The hashes of ${type}`, texts)}`;
  })}`;

/** Renders the files of the events, each of which `log verify` takes. */
export const fileLinks = (proof: EntryProof): Html =>
  html`<ul>
    ${eventsOf(proof).map(
      ({ type, position }) =>
        html`<li>
          <a href="${proofPath(proof.entry.id)}?download=event&amp;position=${position}"
            ><code>${fileName(proof.entry.id, position)}</code></a
          >: ${type}
        </li>`,
    )}
  </ul>`;

/** The file of an event: that of the entry is named by the entry alone. */
export const fileName = (entry: string, position: string): string =>
  entry === position ? `line-${entry}.ndjson` : `line-${entry}-${position}.ndjson`;
