import { execFile } from 'node:child_process';
import pino from 'pino';
import { openApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { MixedLog } from './mixed-log.ts';
import { startChild } from './processes.ts';
import { startRookery, freshSettings, discard } from '../test/support/process.ts';
import { signUp, send } from '../test/support/api-client.ts';
import type { Steady, SteadyJob } from './steady.ts';
const events = Number(process.argv[2]);
const settings = await freshSettings({ LOG_LEVEL: 'fatal', TRUSTED_PROXY_IP: '127.0.0.0/8' });
{
  const { startEmbeddedPostgres } = await import('../src/storage/embedded/embedded.ts');
  const logger = pino({ level: 'warn' });
  const config = loadConfig(settings);
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: logger });
  const app = await openApp(config, logger);
  await new MixedLog(app).growTo(events);
  await app.close();
  await embedded.stop();
}
let t = performance.now();
const server = await startRookery(settings);
console.log(`first start with ${events} events not projected: ${((performance.now() - t) / 1000).toFixed(1)} s`);
const dataDir = settings['DATA_DIR'] ?? '';
const users = [await signUp(server.url, dataDir, 'alice'), await signUp(server.url, dataDir, 'bob')];
const tokens = users.map(({ token }) => token);
const { body } = await send(server.url, 'POST', '/api/v1/statuses', { token: tokens[0]!, body: { status: 'hello' } });
const child = startChild('steady.ts', {});
const measure = (seconds: number) => child.ask<Steady>({ url: server.url, tokens, statusId: body.id as string, seconds } satisfies SteadyJob);
await measure(5);
console.log('quiet', JSON.stringify(await measure(20)));
for (const verb of ['rebuild', 'verify', 'rebuild', 'rebuild']) {
  t = performance.now();
  let ended = 0;
  const done = new Promise<void>((resolve) => execFile('bin/rookery', ['projections', verb, '--quiet'], { env: { PATH: process.env['PATH'], ...settings } }, (error, _o, stderr) => { if (error) console.log(stderr); ended = performance.now(); resolve(); }));
  const results: Steady[] = [];
  while (ended === 0) results.push(await measure(5));
  await done;
  console.log(verb, ((ended - t) / 1000).toFixed(1), 's', JSON.stringify(results.map(({ p50, p99, failed }) => [Math.round(p50), Math.round(p99), failed])));
}
console.log('quiet again', JSON.stringify(await measure(20)));
await child.stop();
await server.end();
await discard(settings);
