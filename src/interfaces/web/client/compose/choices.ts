import { type Choice, optionsOf } from '#interfaces/web/design/choice-fields.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { AUDIENCES, QUOTE_POLICIES } from '#interfaces/web/entities/visibility.ts';
import { knownLanguages } from '#mastodon/languages.ts';
import type { Status } from '#mastodon/schemas/index.ts';
import type { Desk } from './desk.ts';
import { type Draft, UTC } from './draft.ts';
import { problemsAt } from './problem-notes.ts';
import { earliestTime, zoneName, ZONES } from './schedule.ts';

interface SelectOptions {
  name: string;
  label: string;
  choices: readonly Choice[];
  chosen: string;
  hint?: string;
  /** Takes a row of its own. */
  wide?: boolean;
}

const selectField = ({ name, label, choices, chosen, hint, wide = false }: SelectOptions): Html =>
  html`<div ${wide && html`class="wide"`}>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}" ${hint !== undefined && html`aria-describedby="${name}-hint"`}>
      ${optionsOf(choices, chosen)}
    </select>
    ${hint !== undefined && html`<p class="quiet" id="${name}-hint">${hint}</p>`}
  </div>`;

const VISIBILITIES = Object.keys(AUDIENCES) as Status['visibility'][];
const LONG_VISIBILITIES: readonly Choice[] = VISIBILITIES.map((value) => ({
  value,
  label: `${AUDIENCES[value].name}: ${AUDIENCES[value].text}`,
}));
const SHORT_VISIBILITIES: readonly Choice[] = VISIBILITIES.map((value) => ({
  value,
  label: AUDIENCES[value].name,
}));

export const audienceField = ({ visibility }: Draft): Html =>
  selectField({
    name: 'visibility',
    label: 'Visibility',
    choices: LONG_VISIBILITIES,
    chosen: visibility,
    wide: true,
  });

/** The same in a narrow place. */
export const shortAudienceField = (visibility: string): Html =>
  html`<label class="hush" for="visibility">Visibility</label>
    <select id="visibility" name="visibility">
      ${optionsOf(SHORT_VISIBILITIES, visibility)}
    </select>`;

const LANGUAGES: readonly Choice[] = knownLanguages().map(({ code, name }) => ({ value: code, label: name }));
const YOUR_DEFAULT: Choice = { value: '', label: 'Your default' };

/** The languages that the instance lists. */
export const languageField = ({ language }: Draft): Html =>
  selectField({
    name: 'language',
    label: 'Language',
    choices: language === '' ? [YOUR_DEFAULT, ...LANGUAGES] : LANGUAGES,
    chosen: language,
  });

export const quotePolicyField = ({ quotePolicy }: Draft): Html =>
  selectField({
    name: 'quote_approval_policy',
    label: 'Who can quote',
    choices: quotePolicy === '' ? [YOUR_DEFAULT, ...QUOTE_POLICIES] : QUOTE_POLICIES,
    chosen: quotePolicy,
    hint: 'Only public and quiet public posts can be quoted by others.',
  });

/** Renders the time of publication, closed unless there is one. */
export const scheduleField = (desk: Desk, now: string): Html =>
  html`<details class="fold" ${(desk.draft.scheduledAt !== '' || hasTimeProblem(desk)) && html`open`}>
    <summary>${icon('calendar')}Schedule${icon('chevron-down')}</summary>
    ${problemsAt(desk, 'scheduled_at')} ${timeFields(desk.draft, now)}
  </details>`;

const hasTimeProblem = ({ problems }: Desk): boolean =>
  problems.some(({ place }) => place === 'scheduled_at');

/** The time is local to the chosen offset from UTC, which the script sets to that of the browser. */
export const timeFields = ({ scheduledAt, zone }: Pick<Draft, 'scheduledAt' | 'zone'>, now: string): Html =>
  html`<div class="compose-choices">
    <div>
      <label for="scheduled_at">Publish at</label>
      <input
        type="datetime-local"
        id="scheduled_at"
        name="scheduled_at"
        value="${scheduledAt}"
        ${zone === UTC && html`min="${earliestTime(now)}"`}
        aria-describedby="scheduled_at-hint"
      />
    </div>
    ${selectField({
      name: 'zone',
      label: 'Time zone',
      choices: ZONES.map((each) => ({ value: each, label: zoneName(each) })),
      chosen: zone,
    })}
    <p class="quiet wide" id="scheduled_at-hint">More than five minutes ahead.</p>
  </div>`;
