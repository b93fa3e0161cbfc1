import { AsyncLocalStorage } from 'node:async_hooks';
import { inspect } from 'node:util';

type Report = (owner: string, reason: unknown) => void;

/** Work that may leave promises behind. */
interface Scope {
  owner: string;
  stray?: { reason: unknown };
}

const scopes = new AsyncLocalStorage<Scope>();
let isListening = false;
let report: Report = (owner, reason) =>
  process.emitWarning(`${owner} left a rejected promise behind: ${inspect(reason)}`);

/** Sets the function that is told which work left a rejected promise behind. */
export function reportStrays(to: Report): void {
  report = to;
}

/**
 * Runs work of which this process must survive everything: a promise that it leaves behind and that rejects is reported
 * with the owner, instead of ending the process. Other unhandled rejections end the process, as Node does by default.
 * @throws the error of the work, or the reason of a promise that was left behind and rejected meanwhile
 */
export async function survivingStrays(owner: string, work: () => Promise<void>): Promise<void> {
  listen();
  const scope: Scope = { owner };
  await scopes.run(scope, work);
  if (scope.stray) throw scope.stray.reason;
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  process.on('unhandledRejection', onUnhandled);
}

/** Node calls it in the context in which the promise was made. */
function onUnhandled(reason: unknown): void {
  const scope = scopes.getStore();
  if (!scope) throw reason;
  scope.stray ??= { reason };
  report(scope.owner, reason);
}
