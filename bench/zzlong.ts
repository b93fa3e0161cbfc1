import pino from 'pino';
import { projections } from '../projections/index.ts';
import { openApp } from '../src/app/app.ts';
import { loadConfig } from '../src/config/config.ts';
import { build } from '../src/storage/postgres/build.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded/embedded.ts';
import { MixedLog } from './mixed-log.ts';
const logger = pino({ level: 'warn' }, pino.destination(2));
const config = loadConfig();
const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log: logger });
const app = await openApp(config, logger);
const mixed = new MixedLog(app);
const { log, projectionDb: db } = app;
for (const events of process.argv.slice(2).map(Number)) {
  let t = performance.now();
  await mixed.growTo(events);
  console.log(`grown to ${events} in ${((performance.now() - t) / 1000).toFixed(0)} s`);
  const until = await log.head();
  for (let round = 0; round < 2; round += 1) {
  let rss = 0, read = 0;
  const w = setInterval(() => (rss = Math.max(rss, process.memoryUsage.rss() / 1e6)), 50);
  const cpu = process.cpuUsage();
  t = performance.now();
  await build('bench_rebuild', { projections, log, db, until, onProgress: (p) => (read = p.events) });
  const s = (performance.now() - t) / 1000;
  clearInterval(w);
  const used = process.cpuUsage(cpu);
  console.log(`${events}: ${read} events in ${s.toFixed(1)} s, ${Math.round(read / s)}/s, ${Math.round(rss)} MB, node cpu ${((used.user + used.system) / 1e6 / s).toFixed(2)}`);
  await db.query('drop schema bench_rebuild cascade');
  if (events > 1e6) break;
  }
}
await app.close();
await embedded.stop();
