import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { type App, openApp } from '#app/app.ts';
import { blameSetting } from '#app/blame-setting.ts';
import { openStores } from '#app/stores.ts';
import { recordLoss } from '#commands/admin/audit/index.ts';
import type { Config } from '#config/config.ts';
import { loadOrCreateKeys } from '#config/keys.ts';
import { closeAll } from '#kernel/close-all.ts';
import { RookeryError } from '#kernel/errors.ts';
import { OPERATOR } from '#kernel/event.ts';
import {
  type AcceptedLoss,
  finishRestore,
  forgetLostEnd,
  readErasures,
  refuseBegunRestore,
  unfinishedLoss,
} from '#operations/backup/index.ts';
import { destroyedSubjects, eraseAllAgain } from './erase-again.ts';
import { describeLoss, lossOf } from './loss.ts';
import { confirm, printResult } from './output.ts';
import { refuseRunning } from './refuse-running.ts';
import { withDatabase } from './with-database.ts';

/**
 * `rookery log accept-loss`: describes the lost end of a restored log. With `yes`, accepts it: rebuilds the
 * read models, sets reactors to the end of the log, and repeats erasures that the log does not contain.
 */
export const acceptLoss = ({ yes = false }: { yes?: boolean }): Promise<void> =>
  withDatabase(async ({ config, url, logger }) => {
    // A server knows the lost events, and would continue with them.
    await refuseRunning(url);
    const loss = await beginLoss(config, logger, yes);
    await goOn(config, logger, loss);
  });

/** Forgets the lost end, unless an earlier run has. @throws RookeryError `conflict` as `lossOf`, and without `yes` */
async function beginLoss(config: Config, logger: Logger, yes: boolean): Promise<AcceptedLoss> {
  const closers: (() => unknown)[] = [];
  const dataDir = resolve(config.dataDir);
  try {
    await refuseBegunRestore(dataDir);
    const stores = await openStores({
      config,
      dataDir,
      logger,
      keys: await blameSetting('DATA_DIR', loadOrCreateKeys(dataDir, config.secrets)),
      anyLog: true,
      restoring: true,
      closing: (close) => void closers.push(close),
    });
    const begun = await unfinishedLoss(stores.db);
    if (begun) return begun;
    const loss = await lossOf(stores);
    printResult(describeLoss(loss), { ends_at: loss.ends_at, position: loss.position });
    if (!yes) {
      throw new RookeryError(
        'conflict',
        'Nothing was changed. To go on without these events: rookery log accept-loss --yes',
      );
    }
    const { ends_at, position, covered } = loss;
    const accepted = { id: randomUUID(), ends_at, position };
    await forgetLostEnd(stores.db, accepted, covered);
    return accepted;
  } finally {
    await closeAll(closers);
  }
}

async function goOn(config: Config, logger: Logger, loss: AcceptedLoss): Promise<void> {
  const app = await openApp(config, logger, { restoring: true });
  try {
    const { id: loss_id, ends_at, position } = loss;
    await recordLoss(app.systemContext(OPERATOR), { loss_id, ends_at, position });
    const subjects = await destroyedSubjects(app.db, await readErasures(config.erasureList));
    await eraseAllAgain(app, subjects);
    await app.transparencyLog.forgetCheckpointFile();
    await app.transparencyLog.record();
    await app.transparencyLog.renewCheckpointFile();
    await finishRestore(app.db, loss_id);
    await report(app, subjects.length);
  } finally {
    await app.close();
  }
}

async function report({ log }: App, erased: number): Promise<void> {
  confirm(`Read models are those of the log again, up to position ${await log.head()}`);
  confirm(`Erased again, as far as the log did not know it: ${erased} accounts and blocks of addresses`);
}
