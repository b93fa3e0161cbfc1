import pino, { type Logger } from 'pino';
import { loadConfig, type Config } from '../config/config.ts';
import { startEmbeddedPostgres } from '../storage/embedded/embedded.ts';

/** The settings, with the address of a running database. */
export interface Prepared {
  config: Config;
  url: string;
  logger: Logger;
}

/**
 * Runs work with the database of the settings before anything else is opened. Starts the embedded one for it.
 */
export async function withDatabase(
  work: (prepared: Prepared) => Promise<void>,
  config: Config = loadConfig(),
): Promise<void> {
  const logger = pino({ level: 'fatal' }, pino.destination({ dest: 2, sync: true }));
  const embedded =
    config.database.url === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log: logger })
      : undefined;
  const url = config.database.url ?? embedded?.url ?? '';
  try {
    await work({ config: { ...config, database: { ...config.database, url } }, url, logger });
  } finally {
    await embedded?.stop();
  }
}
