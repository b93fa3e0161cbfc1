import pino, { type Logger } from 'pino';
import { type Config, loadConfig } from '#config/config.ts';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';
import { asFullDisk, noticeFullDisk } from './full-disk.ts';

/** The settings, with the address of a running database. */
export interface Prepared {
  config: Config;
  url: string;
  logger: Logger;
}

/**
 * Runs work with the database of the settings before anything else is opened. Starts the embedded one for it.
 * @throws the errors of the work; that of a full disk where the embedded one ended because of it
 */
export async function withDatabase(
  work: (prepared: Prepared) => Promise<void>,
  config: Config = loadConfig(),
): Promise<void> {
  const logger = pino({ level: 'fatal' }, pino.destination({ dest: 2, sync: true }));
  const { log, wasFull } = noticeFullDisk(logger);
  const embedded =
    config.database.url === undefined
      ? await startEmbeddedPostgres({ dataDir: config.dataDir, log })
      : undefined;
  const url = config.database.url ?? embedded?.url ?? '';
  try {
    await work({ config: { ...config, database: { ...config.database, url } }, url, logger });
  } catch (error) {
    // Its last words are read by its end.
    await embedded?.stop();
    throw wasFull() ? asFullDisk(error) : error;
  }
  await embedded?.stop();
}
