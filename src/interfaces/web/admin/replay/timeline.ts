import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon, type IconName } from '#interfaces/web/design/icons.ts';
import type { Replay, ReplayName, ReplayStep } from '#mastodon/schemas/index.ts';
import { proofPath, replayPath } from '../addresses.ts';
import { targetLink } from '../audit/sentence.ts';
import { moment } from '../moments.ts';
import { calledIn, happened } from './words.ts';

/** Returns the address of a step. */
const stepPath = ({ kind, id }: Replay, step: number): string => `${replayPath(kind, id)}?step=${step}`;

/** Renders the buttons that lead to other steps: links, which the script follows in place. */
export function stepButtons(replay: Replay): Html {
  const { step, count } = replay;
  const button = (to: number, text: string, name: IconName, id: string): Html => {
    const isThere = to !== step && to >= 1 && to <= count;
    const face = html`${icon(name)}<span>${text}</span>`;
    return isThere
      ? html`<a class="button plain" id="replay-${id}" href="${stepPath(replay, to)}" data-step>${face}</a>`
      : html`<span class="button plain off" id="replay-${id}" aria-disabled="true">${face}</span>`;
  };
  return html`<nav class="step-buttons" aria-label="Steps" id="replay-buttons">
    ${button(Math.min(1, count), 'First', 'skip-back', 'first')}
    ${button(step - 1, 'Back', 'arrow-left', 'back')} ${button(step + 1, 'Next', 'chevron-right', 'next')}
    ${button(count, 'Last', 'skip-forward', 'last')}
  </nav>`;
}

/** Renders the slider: a form, so that it works without the script as well. */
export const stepSlider = ({ kind, id, step, count }: Replay): Html =>
  html`<form class="step-slider" method="get" action="${replayPath(kind, id)}" data-steps>
    <label for="step">Step</label>
    <input type="range" id="step" name="step" min="${Math.min(1, count)}" max="${count}" value="${step}" />
    <button type="submit" class="plain" data-steps-go>Show</button>
  </form>`;

/** Renders the history as a list, the shown step marked. */
export const timeline = (replay: Replay): Html =>
  html`<section class="timeline-box" id="replay-timeline" aria-label="History">
    ${moreSteps(replay, 'before')}
    <ol class="history-steps" start="${replay.steps[0]?.step ?? 1}">
      ${replay.steps.map((step) => stepItem(replay, step))}
    </ol>
    ${moreSteps(replay, 'after')}
  </section>`;

function moreSteps(replay: Replay, where: 'before' | 'after'): Html | false {
  const [first, last] = [replay.steps[0]?.step ?? 1, replay.steps.at(-1)?.step ?? 0];
  const to = where === 'before' ? first - 1 : last + 1;
  if (to < 1 || to > replay.count) return false;
  const text = where === 'before' ? `Earlier: steps up to ${to}` : `Later: steps from ${to}`;
  return html`<p class="more"><a href="${stepPath(replay, to)}" data-step>${text}</a></p>`;
}

function stepItem(replay: Replay, each: ReplayStep): Html {
  const { step, created_at, entry_id } = each;
  const [text, name] = happened(each);
  return html`<li ${step === replay.step && html`class="current" aria-current="step"`}>
    <span class="mark">${icon(name)}</span>
    <div>
      <p class="said">
        <a href="${stepPath(replay, step)}" data-step>Step ${step}: ${text}</a>${elsewhere(replay, each)}
      </p>
      <p class="byline">
        ${actorOf(each)} ·
        ${moment(created_at)}${
          entry_id !== null &&
          html` · <a href="${proofPath(entry_id)}">Prove this<span class="hush">: step ${step}</span></a>`
        }
      </p>
    </div>
  </li>`;
}

/** Names the other thing that an event of a history is about. */
function elsewhere(replay: Replay, { about }: ReplayStep): Html | false {
  const { kind, id } = replay;
  if ((about.kind === kind && about.id === id) || about.kind === 'instance') return false;
  const isNamed = ['account', 'rule', 'status', 'report'].includes(about.kind);
  const name = isNamed
    ? calledIn(replay, about.kind as ReplayName['kind'], about.id)
    : `${about.kind} ${about.id}`;
  return html` <span class="quiet">(<a href="${replayPath(about.kind, about.id)}">${name}</a>)</span>`;
}

function actorOf({ actor: { kind, account, role, name } }: ReplayStep): Html {
  if (account) {
    const who = targetLink({ type: 'account', id: account.id, name: account.acct });
    return role === null ? who : html`${who} (${role})`;
  }
  if (kind === 'operator') return html`The operator`;
  if (kind === 'remote') return html`The server ${name}`;
  return html`${name === null ? 'This server' : `This server (${name})`}`;
}
