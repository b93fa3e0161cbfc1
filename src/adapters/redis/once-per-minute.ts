/** Lets the first call through, and then one a minute: an outage is one thing to say, not one per request. */
export function oncePerMinute<T>(report: (what: T) => void): (what: T) => void {
  let next = 0;
  return (what) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 60_000;
    report(what);
  };
}
