import { RookeryError } from '../kernel/errors.ts';
import { pause } from '../kernel/pause.ts';
import type { Projection } from '../kernel/projection.ts';
import type { ReadModelRun } from '../kernel/services/read-models.ts';
import type { BuildOptions, Progress } from '../storage/postgres/build.ts';
import type { Database } from '../storage/postgres/db.ts';
import { Rejected } from '../storage/postgres/event-applier.ts';
import { askProjectorsToRetry } from '../storage/postgres/projector.ts';
import { rebuild, verify, type Difference } from '../storage/postgres/rebuild.ts';

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 250;

type Run = (options: BuildOptions) => Promise<Difference[]>;

/** Rebuilds and verifications that staff start over the API, one at a time in each process. */
export class ReadModelRuns {
  readonly #db: Database;
  readonly #log: BuildOptions['log'];
  #isRunning = false;

  constructor({ db, log }: { db: Database; log: BuildOptions['log'] }) {
    this.#db = db;
    this.#log = log;
  }

  rebuild(projection: Projection, signal: AbortSignal): AsyncGenerator<ReadModelRun> {
    return this.#run(projection, signal, async (options) => {
      await rebuild(options);
      // A halted read model has new rows after the failed event.
      await askProjectorsToRetry(this.#db);
      return [];
    });
  }

  verify(projection: Projection, signal: AbortSignal): AsyncGenerator<ReadModelRun> {
    return this.#run(projection, signal, verify);
  }

  async *#run(projection: Projection, signal: AbortSignal, run: Run): AsyncGenerator<ReadModelRun> {
    if (this.#isRunning) {
      throw new RookeryError('conflict', 'Another read model is being built or verified; try again later');
    }
    this.#isRunning = true;
    // The client may end the iteration.
    const ending = new AbortController();
    let latest: Progress | undefined;
    const work = run({
      projections: [projection],
      log: this.#log,
      db: this.#db,
      signal: AbortSignal.any([signal, ending.signal]),
      onProgress: (progress) => (latest = progress),
    }).finally(() => (this.#isRunning = false));
    const end = work.then(ignore, ignore).then(() => 'ended' as const);
    try {
      for (let ended = false; !ended;) {
        ended = (await Promise.race([end, pause(REPORT_EVERY)])) === 'ended';
        if (latest) yield progressOf(latest);
        latest = undefined;
      }
      yield { event: 'done', data: { differences: await work.catch(describeRejection) } };
    } finally {
      ending.abort();
      work.catch(ignore);
    }
  }
}

const ignore = (): void => undefined;

const progressOf = ({ position, head, events }: Progress): ReadModelRun => ({
  event: 'progress',
  data: { position: String(position), head: String(head), events },
});

/** @throws RookeryError `conflict` that names the event which halted the build; any other error unchanged */
function describeRejection(error: unknown): never {
  if (!(error instanceof Rejected)) throw error;
  const { projection, position, event_type, error: reason } = error.failure;
  throw new RookeryError('conflict', `${projection} halts again at ${position} ${event_type}: ${reason}`, {
    cause: error,
  });
}
