// @ts-check
import { parse } from '../dom.js';

/** Milliseconds for which a moving slider rests before its step is fetched. */
const REST = 60;
let newestStep = 0;

/**
 * Shows another step in place of the present one.
 * @param {string} address
 */
async function showStep(address) {
  const turn = (newestStep += 1);
  const reply = await fetch(address, { headers: { 'X-Rookery-Fragment': '1' } }).catch(() => undefined);
  // A refusal has a page of its own.
  if (!reply?.ok) return location.assign(address);
  const markup = await reply.text();
  if (turn !== newestStep) return;
  const focused = document.activeElement?.id;
  replaceParts(markup);
  if (focused) document.getElementById(focused)?.focus();
  history.replaceState(history.state, '', address);
  const slider = document.querySelector('[data-steps] input');
  const step = new URL(address, location.href).searchParams.get('step');
  if (slider instanceof HTMLInputElement && step !== null) slider.value = step;
  scrollToCurrent();
}

/** @param {string} markup */
function replaceParts(markup) {
  const content = parse(markup);
  const scrolled = document.getElementById('replay-timeline')?.scrollTop ?? 0;
  for (const id of ['replay-buttons', 'replay']) {
    const part = content.querySelector(`#${id}`);
    if (part) document.getElementById(id)?.replaceWith(part);
  }
  const list = document.getElementById('replay-timeline');
  if (list) list.scrollTop = scrolled;
}

/** Scrolls the list, but never the page, until it shows the present step. */
function scrollToCurrent() {
  const list = document.getElementById('replay-timeline');
  const current = list?.querySelector('.current');
  if (!list || !current) return;
  const [frame, step] = [list.getBoundingClientRect(), current.getBoundingClientRect()];
  if (step.top < frame.top) list.scrollTop -= frame.top - step.top;
  else if (step.bottom > frame.bottom) list.scrollTop += step.bottom - frame.bottom;
}

/** Lets links and the slider of a replay change the step in place. */
function stepThrough() {
  const form = document.querySelector('[data-steps]');
  if (!(form instanceof HTMLFormElement)) return;
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[data-step]') : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void showStep(link.href);
  });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  form.addEventListener('input', () => {
    clearTimeout(waiting);
    const step = String(new FormData(form).get('step'));
    waiting = setTimeout(() => void showStep(`${form.action}?step=${step}`), REST);
  });
  form.querySelector('[data-steps-go]')?.remove();
}

stepThrough();
scrollToCurrent();
