import { Command, InvalidArgumentError } from 'commander';
import type { When } from '../as-of/index.ts';
import { parseWhen, WHEN } from './as-of.ts';

interface ServeOptions {
  asOf?: When;
  port?: number;
}

/** `rookery serve`. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the server')
    .option('--as-of <when>', `serve the API as it was then, for reading only: ${WHEN}`, parseWhen)
    .option('--port <port>', 'with --as-of: listen there instead of at PORT, beside the server', parsePort)
    .action(async ({ asOf, port }: ServeOptions, command: Command) => {
      if (asOf) return (await import('./serve-as-of.ts')).serveAsOf(asOf, port);
      if (port !== undefined) command.error('--port goes with --as-of; the port of the server is PORT');
      await (await import('../main.ts')).main();
    });
}

function parsePort(text: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}
