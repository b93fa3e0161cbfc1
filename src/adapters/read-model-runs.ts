import { RookeryError } from '#kernel/errors.ts';
import { pause } from '#kernel/pause.ts';
import type { Projection } from '#kernel/projection.ts';
import type { Digests, RunKind } from '#kernel/services/read-models.ts';
import type { Database } from '#storage/postgres/db.ts';
import { Rejected } from '#storage/postgres/projector/event-applier.ts';
import { errorText } from '#storage/postgres/projector/failures.ts';
import { askProjectorsToRetry } from '#storage/postgres/projector/projector.ts';
import type { BuildOptions, Progress } from '#storage/postgres/rebuild/build.ts';
import { endRun, noteRun, startRun } from '#storage/postgres/rebuild/projection-runs.ts';
import { compare, rebuild } from '#storage/postgres/rebuild/rebuild.ts';

/** Milliseconds between two reports of progress. */
const REPORT_EVERY = 250;

interface BackgroundRun {
  id: string;
  kind: RunKind;
  /** It exists, so that it can be compared. */
  isBuilt: boolean;
}

type Following = Pick<BuildOptions, 'signal' | 'onProgress'>;

/** Rebuilds and verifications that staff start over the API, one at a time in all processes. */
export class ReadModelRuns {
  readonly #db: Database;
  readonly #log: BuildOptions['log'];
  readonly #closing = new AbortController();
  #background: Promise<unknown> = Promise.resolve();

  constructor({ db, log }: { db: Database; log: BuildOptions['log'] }) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Starts a build that goes on by itself; its progress is stored. @throws RookeryError `conflict`
   */
  async start(projection: Projection, { id, kind, isBuilt }: BackgroundRun): Promise<void> {
    if (!(await startRun(this.#db, { id, name: projection.name, kind }))) throw busy();
    const run = this.#follow(id, (options) =>
      kind === 'verify'
        ? compare({ ...options, ...this.#of(projection) })
        : this.#replace(projection, options, isBuilt),
    );
    this.#background = Promise.all([this.#background, run]);
  }

  /** Ends the run of this process. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#background;
  }

  #of(projection: Projection): Pick<BuildOptions, 'projections' | 'log' | 'db'> {
    return { projections: [projection], log: this.#log, db: this.#db };
  }

  async #replace(projection: Projection, options: Following, isBuilt: boolean): Promise<readonly Digests[]> {
    let digests: readonly Digests[] = [];
    const onCompared = (compared: readonly Digests[]): void => void (digests = compared);
    await rebuild({ ...options, ...this.#of(projection), ...(isBuilt && { onCompared }) });
    await askProjectorsToRetry(this.#db);
    return digests;
  }

  /** Never fails: how it ended is stored. Without the database, others take it for dead after a while. */
  async #follow(id: string, work: (options: Following) => Promise<readonly Digests[]>): Promise<void> {
    const cancelling = new AbortController();
    const ending = AbortSignal.any([cancelling.signal, this.#closing.signal]);
    let latest: Progress | undefined;
    let isOver = false;
    const note = async (): Promise<void> => {
      const progress = latest;
      latest = undefined;
      if (await noteRun(this.#db, id, progress)) cancelling.abort();
    };
    const end = work({ signal: ending, onProgress: (progress) => (latest = progress) })
      .then(async (digests) => {
        await note();
        await endRun(this.#db, id, { state: 'done', digests });
      })
      .catch(async (error: unknown) => {
        if (cancelling.signal.aborted) return endRun(this.#db, id, { state: 'cancelled' });
        if (this.#closing.signal.aborted) return endRun(this.#db, id, { state: 'interrupted' });
        return endRun(this.#db, id, { state: 'failed', error: reasonOf(error) });
      })
      .catch(ignore)
      .finally(() => (isOver = true));
    while (!isOver) {
      await Promise.race([end, pause(REPORT_EVERY * 2)]);
      if (!isOver) await note().catch(ignore);
    }
  }
}

const ignore = (): void => undefined;

const busy = (): RookeryError =>
  new RookeryError('conflict', 'Another read model is being built or verified; try again later');

const reasonOf = (error: unknown): string =>
  errorText(error instanceof Rejected ? rejectionText(error) : error);

function rejectionText({ failure: { projection, position, event_type, error } }: Rejected): string {
  return `${projection} halts again at ${position} ${event_type}: ${error}`;
}
