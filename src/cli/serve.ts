import { isIP } from 'node:net';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { When } from '#app/as-of/index.ts';
import { parseWhen, WHEN } from './as-of.ts';

interface ServeOptions {
  asOf?: When;
  port?: number;
  bind?: string;
  everyone?: true;
  as?: string;
}

export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server')
    .option('--as-of <when>', `serve the API as it was then, for reading only: ${WHEN}`, parseWhen)
    .option('--port <port>', 'with --as-of: listen there instead of at PORT, beside the server', parsePort)
    .option('--bind <address>', `with --as-of: listen on that address instead of ${LOOPBACK}`, parseAddress)
    .option('--everyone', 'with --as-of: answer everyone as the API did then, not only staff with a token')
    .addOption(
      new Option(
        '--as <name>',
        'with --as-of: show staff what this local account saw then; recorded in the audit log',
      ).conflicts('everyone'),
    )
    .action(async ({ asOf, port, bind = LOOPBACK, everyone, as }: ServeOptions, command: Command) => {
      const audience = everyone ? 'everyone' : 'staff';
      if (asOf)
        return (await import('./serve-as-of.ts')).serveAsOf(asOf, {
          bind,
          port,
          audience,
          as: as?.replace(/^@/, ''),
        });
      if (port !== undefined) command.error('--port goes with --as-of; the port of the server is PORT');
      if (bind !== LOOPBACK) command.error('--bind goes with --as-of; the address of the server is BIND');
      if (everyone) command.error('--everyone goes with --as-of');
      if (as !== undefined) command.error('--as goes with --as-of');
      await (await import('#app/run.ts')).run();
    });
}

/** The past shows what has been deleted since, so no other machine reaches it unless the operator says so. */
const LOOPBACK = '127.0.0.1';

function parseAddress(text: string): string {
  if (isIP(text) !== 0) return text;
  throw new InvalidArgumentError('Expected is an IP address such as 127.0.0.1 or ::.');
}

function parsePort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}
