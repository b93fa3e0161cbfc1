// @ts-check

const WHOLE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const SHORT_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const WEEK = 604_800;

/**
 * Says how long ago a moment was, up to a week, as the server does.
 * @param {number} at
 * @param {number} now
 */
export function ago(at, now) {
  const seconds = (now - at) / 1_000;
  if (seconds >= WEEK || seconds < -60) return SHORT_DAY.format(at);
  if (seconds >= 86_400) return `${Math.floor(seconds / 86_400)}d`;
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)}h`;
  return seconds >= 60 ? `${Math.floor(seconds / 60)}m` : 'now';
}

/**
 * Keeps a time of the console in UTC, as its fields read it: writes a relative one anew, and says in the title
 * of another one how long ago it was.
 * @param {HTMLTimeElement} time
 * @param {number} at
 */
function sayAge(time, at) {
  const age = ago(at, Date.now());
  if (!/^(now|\d+[mhd])$/.test(age)) return;
  if (!('exact' in time.dataset)) time.textContent = age;
  else time.title = `${time.dateTime}, ${age === 'now' ? age : `${age} ago`}`;
}

/**
 * Writes times in the zone of the browser, and relative ones anew. Days without a time stay, and so do the
 * times of the console.
 * @param {ParentNode} within
 */
export function localTimes(within) {
  const staysUtc = document.querySelector('.console') !== null;
  for (const time of within.querySelectorAll('time')) {
    const at = time.dateTime.length > 10 ? Date.parse(time.dateTime) : NaN;
    if (Number.isNaN(at)) continue;
    if (staysUtc) {
      if (time.title !== '') sayAge(time, at);
      continue;
    }
    const whole = WHOLE.format(at);
    const text = time.title === '' ? whole : ago(at, Date.now());
    if (time.title !== '') time.title = whole;
    if (time.textContent !== text) time.textContent = text;
  }
}
