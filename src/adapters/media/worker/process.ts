import { type Reply, type Request, toFailure } from './messages.ts';
import { TASKS } from './tasks.ts';

/** The worker process of media: serves the server that started it, and ends with it. */
const running = new Map<number, AbortController>();

process.on('message', (request: Request) => {
  if ('cancelled' in request) running.get(request.id)?.abort();
  else void work(request.id, request.task, request.args);
});
process.on('disconnect', () => process.exit());
// A terminal sends these to the whole group. The server decides when the work is done.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);

async function work(id: number, name: keyof typeof TASKS, args: unknown[]): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const task = TASKS[name] as (...args: unknown[]) => Promise<unknown>;
  const reply: Reply = await task(...args, controller.signal).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, failure: toFailure(error) }),
  );
  running.delete(id);
  if (process.connected) process.send?.(reply);
}
