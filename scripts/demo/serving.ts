import type { Logger } from 'pino';
import { type App, openApp } from '#app/app.ts';
import { startServer } from '#app/server.ts';
import { loadConfig } from '#config/config.ts';
import { closeAll } from '#kernel/close-all.ts';
import type { Projector } from '#storage/postgres/projector/projector.ts';
import { haltByReport, startFaultyProjector } from './halted.ts';
import type { Resident } from './seed/index.ts';

/** The settings of the demo, by environment variable. It listens on this machine alone, because it prints its passwords. */
export const settingsFor = (dataDir: string, port: number): Record<string, string> => ({
  DATA_DIR: dataDir,
  PORT: String(port),
  BIND: '127.0.0.1',
  LOCAL_DOMAIN: `localhost:${port}`,
  LOCAL_HTTPS: 'false',
  RATE_LIMIT_EXEMPT_LOOPBACK: 'true',
});

/** The parts of a server that run so far. */
export interface Parts {
  app: App;
  /** Starts reactors and the server. With a user, their annual report halts a read model. */
  serve(reportOf: Resident | undefined): Promise<{ isHalted: boolean }>;
  close(): Promise<void>;
}

/** Milliseconds that reactors may take. */
const PATIENCE = 60_000;

/** Opens the stores, and follows the log. */
export async function openParts(settings: Record<string, string>, logger: Logger): Promise<Parts> {
  const app = await openApp(loadConfig(settings), logger);
  const closers: (() => Promise<unknown>)[] = [() => app.close()];
  const close = (): Promise<void> => closeAll(closers.splice(0));
  let projector: Projector | undefined;
  closers.push(async () => projector?.stop());
  const serve: Parts['serve'] = async (reportOf) => {
    if (reportOf) {
      await projector?.stop();
      projector = await startFaultyProjector(app, reportOf.id, logger);
    }
    const reactors = await app.startReactors();
    closers.push(() => reactors.stop());
    // The erasure of the account that is gone.
    if (!(await reactors.reached(await app.log.head(), PATIENCE)))
      throw new Error('The reactors are not idle');
    const isHalted = reportOf && projector ? await haltByReport(app, reportOf.token, projector) : false;
    const server = await startServer(app, logger);
    closers.push(() => server.close());
    return { isHalted };
  };
  try {
    projector = await app.startProjector();
    return { app, serve, close };
  } catch (error) {
    await close();
    throw error;
  }
}
