/**
 * Calls `end` at each SIGINT and SIGTERM. There are often several: a terminal sends SIGINT to npm and to its script, and npm passes it
 * on. Where nothing listened to the second one, it would end the process before everything is closed.
 */
export function onEndSignals(end: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal));
}
