import type { Logger } from 'pino';
import { openApp, type App } from '../../src/app/app.ts';
import { startServer } from '../../src/app/server.ts';
import { loadConfig } from '../../src/config/config.ts';
import { closeAll } from '../../src/kernel/close-all.ts';

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
  serve(): Promise<string>;
  close(): Promise<void>;
}

/** Opens the stores and follows the log; `serve` starts reactors and the server. */
export async function openParts(settings: Record<string, string>, logger: Logger): Promise<Parts> {
  const app = await openApp(loadConfig(settings), logger);
  const closers: (() => Promise<unknown>)[] = [() => app.close()];
  const close = (): Promise<void> => closeAll(closers.splice(0));
  try {
    const projector = await app.startProjector();
    closers.push(() => projector.stop());
  } catch (error) {
    await close();
    throw error;
  }
  return {
    app,
    close,
    serve: async () => {
      const reactors = await app.startReactors();
      closers.push(() => reactors.stop());
      const server = await startServer(app, logger);
      closers.push(() => server.close());
      return app.instance.origin;
    },
  };
}
