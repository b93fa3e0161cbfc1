import { type Html, html } from '#interfaces/web/design/html.ts';
import { asSent } from '#interfaces/web/page/sent-texts.ts';
import type { Replay } from '#mastodon/schemas/index.ts';
import { REPLAY } from '../addresses.ts';
import { changedText } from '../audit/fields.ts';
import { consolePage } from '../console-page.ts';
import { moment } from '../moments.ts';
import { stateBox } from './state.ts';
import { stepButtons, stepSlider, timeline } from './timeline.ts';
import { changesOf, fieldWords, happened, KINDS, valueWords } from './words.ts';

/** Replays the history of one subject, a step at a time. */
export const replayPage = consolePage({
  path: `${REPLAY}/:kind/:id`,
  permission: 'view_audit_log',
  show: async ({ api, params, query, wantsFragment }) => {
    const step = query.get('step');
    const { entity: replay } = await api('GET v1/admin/audit/subjects/:kind/:id', {
      params: { kind: asSent(params.kind), id: params.id },
      ...(step !== null && step !== '' && { query: { step } }),
    });
    if (wantsFragment) return { fragment: html`${stepButtons(replay)} ${moving(replay)}` };
    const { kind, name, count, left_out: leftOut } = replay;
    return {
      title: `${KINDS[kind]} ${kind === 'account' ? `@${name}` : name}`,
      back: [REPLAY, 'Replay'],
      body: html`${
        count === 0
          ? html`<p>This setting was never changed. Its value is the default of this version.</p>
              ${stateBox(replay)}`
          : html`${count > 1 && html`<div class="step-bar">${stepButtons(replay)} ${stepSlider(replay)}</div>`}
            ${moving(replay)}`
      }
      ${
        leftOut > 0 &&
        html`<p class="quiet">
          ${leftOut} older reports and posts are left out here; each has a history of its own.
        </p>`
      }`,
    };
  },
});

/** The parts that another step changes. */
const moving = (replay: Replay): Html =>
  html`<div class="replay" id="replay">
    ${timeline(replay)}
    <div class="at-step" id="replay-at" aria-live="polite">
      ${changeBox(replay)} ${stateBox(replay)} ${asOf(replay)}
    </div>
  </div>`;

function changeBox(replay: Replay): Html {
  const { step, count, steps } = replay;
  const changes = changesOf(replay);
  const shown = steps.find((each) => each.step === step);
  return html`<section class="box change-box" aria-labelledby="change-title">
    <h2 id="change-title">Step ${step} of ${count}</h2>
    ${
      shown
        ? html`<p>${moment(shown.created_at)}: ${happened(shown)[0]}</p>`
        : html`<p>Before the first step.</p>`
    }
    ${
      shown &&
      (changes.length === 0
        ? html`<p class="quiet">It changed nothing shown here.</p>`
        : html`<ul class="changes">
            ${changes.map((change) => changeItem(change, replay))}
          </ul>`)
    }
  </section>`;
}

const changeItem = ({ field, before, after }: Replay['changes'][number], replay: Replay): Html =>
  html`<li>
    ${changedText(
      html`<span class="field">${fieldWords(field, replay)}</span>`,
      valueWords(field, before, replay.names),
      valueWords(field, after, replay.names),
    )}
  </li>`;

/** Says how to see everything else of that moment. */
function asOf({ step, steps }: Replay): Html | false {
  const shown = steps.find((each) => each.step === step);
  return (
    shown !== undefined &&
    html`<details class="box fold">
      <summary>The whole server at that moment</summary>
      <p>The operator can start a read-only server as it was right after this step:</p>
      <pre class="code" tabindex="0" aria-label="Command">
${`npx rookery serve --as-of ${shown.position} --port 3001`}</pre>
      <p class="quiet">OPERATIONS.md says more, under “The past”.</p>
    </details>`
  );
}
