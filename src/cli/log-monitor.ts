import type { Command } from 'commander';
import { lazyHttpClient } from '#adapters/outbound-http/index.ts';
import { isWebAddress } from '#config/settings.ts';
import { VERSION } from '#config/version.ts';
import { invalid } from '#kernel/errors.ts';
import { LogSource, MonitorFolder, monitorLog } from '#operations/transparency-log/monitor/index.ts';
import { printResult } from './output.ts';

interface MonitorOptions {
  dir?: string;
  key?: string;
  all?: boolean;
}

/** Adds `rookery log monitor`, which needs neither a database nor settings. */
export function addMonitor(log: Command): void {
  log
    .command('monitor')
    .description('Look at the public log of another server, and whether it continues what was kept of it')
    .argument('<url>', 'an address of the server')
    .option('--dir <folder>', 'keep checkpoints and hashes here, and compare with those of the last time')
    .option(
      '--key <key>',
      'the key that signs the log; that of the last time, or the one that the server shows',
    )
    .option('--all', 'read everything again, and not new events alone')
    .action(monitor);
}

async function monitor(url: string, { dir, key, all = false }: MonitorOptions): Promise<void> {
  if (!isWebAddress(url)) throw invalid(`${url} is no address of a server`);
  // The operator names the host, which may be their own.
  const http = lazyHttpClient({
    allowedPrivateAddresses: [],
    userAgent: `Rookery/${VERSION} (log monitor)`,
    permits: () => true,
  });
  try {
    const folder = dir === undefined ? undefined : new MonitorFolder(dir);
    const seen = await monitorLog(new LogSource(http, url), { folder, key, all });
    const { origin, size, root, added } = seen;
    printResult(`Unaltered: ${origin}, ${size} events, ${added} of them new, root ${root}`, { ...seen });
  } finally {
    await http.close();
  }
}
