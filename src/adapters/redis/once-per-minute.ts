/** Lets the first call pass, and then one a minute: an outage is one report, not one per request. */
export function oncePerMinute<T>(report: (what: T) => void): (what: T) => void {
  let next = 0;
  return (what) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 60_000;
    report(what);
  };
}
