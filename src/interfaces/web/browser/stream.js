// @ts-check

/** Milliseconds until a hidden page stops: browsers open six connections to a server for all their tabs. */
const HIDDEN = 60_000;
const LONGEST_WAIT = 120_000;

/**
 * Listens to streams while the page is visible, or hidden for a short time.
 * @param {string} query names the streams
 * @param {(event: string, payload: string) => void} onEvent
 * @param {(again: boolean) => void} onOpen called when events may have been missed: since the page was made, or again
 */
export function listen(query, onEvent, onOpen) {
  /** @type {EventSource | undefined} */
  let source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let failures = 0;
  let again = false;

  const stop = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const start = () => {
    stop();
    source = new EventSource(`/web/streaming?${query}`);
    source.onopen = () => {
      failures = 0;
      onOpen(again);
      again = true;
    };
    source.onmessage = ({ data }) => {
      const { event, payload = '' } = JSON.parse(data);
      onEvent(event, payload);
    };
    source.onerror = () => {
      stop();
      failures += 1;
      const wait = Math.min(1_000 * 2 ** failures, LONGEST_WAIT);
      timer = setTimeout(resume, wait * (0.5 + Math.random() / 2));
    };
  };
  const resume = () => {
    clearTimeout(timer);
    if (!document.hidden && !source) start();
  };

  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) return resume();
    clearTimeout(timer);
    timer = setTimeout(stop, HIDDEN);
  });
  // A page that the browser keeps for the way back would hold its connection.
  addEventListener('pagehide', stop);
  addEventListener('pageshow', ({ persisted }) => persisted && resume());
  addEventListener('online', resume);
  resume();
}
