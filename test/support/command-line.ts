import { execFile } from 'node:child_process';
import type { App } from '../../src/app.ts';

/** How a command of the command line ended; -1 where it was killed. */
export interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `bin/rookery` with nothing but these settings. */
export const runRookery = (
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<Result> =>
  new Promise((resolve) => {
    execFile('bin/rookery', args, { env: { PATH: process.env['PATH'], ...env } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr });
    });
  });

/** Runs it with the settings of a test server, beside that. */
export const rookeryBeside = ({ config }: App, ...args: string[]): Promise<Result> =>
  runRookery(args, {
    DATA_DIR: config.dataDir,
    DATABASE_URL: config.database.url,
    LOCAL_DOMAIN: config.site.localDomain,
  });
