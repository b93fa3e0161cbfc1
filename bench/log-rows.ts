import { randomBytes, randomUUID } from 'node:crypto';
import type { App } from '#app/app.ts';
import { usernameStream } from '#events/accounts.ts';
import { statement } from '#kernel/read.ts';
import { projections } from '#projections/index.ts';
import { NO_STREAM } from '#storage/eventlog/port.ts';
import { build } from '#storage/postgres/rebuild/build.ts';

const SCHEMA = 'bench_rebuild';

/** Builds all read models anew beside the live ones. @returns events per second, indexes included */
export async function rebuildRate(app: App): Promise<number> {
  const started = performance.now();
  const events = await buildBeside(app);
  const seconds = secondsSince(started);
  await dropBuild(app);
  return events / seconds;
}

/** @returns the number of events */
export async function buildBeside({ log, projectionDb: db }: App): Promise<number> {
  let events = 0;
  const until = await log.head();
  await build(SCHEMA, { projections, log, db, until, onProgress: (progress) => (events = progress.events) });
  return events;
}

export async function dropBuild({ projectionDb }: App): Promise<void> {
  await projectionDb.query(`drop schema ${SCHEMA} cascade`);
}

const PAGE = 2_000;
const READ = statement(
  'bench_read',
  `select position, stream, revision, id, type, data, metadata from eventlog.events
   where position > $1 order by position limit ${PAGE}`,
);

/** Reads all events in order and parses them, and does nothing with them. @returns events per second */
export async function readRate({ projectionDb }: App): Promise<number> {
  const started = performance.now();
  let events = 0;
  for (let position = '0'; ;) {
    const rows = await projectionDb.query<{ position: string; data: string; metadata: string }>(READ, [
      position,
    ]);
    const last = rows.at(-1);
    if (!last) return events / secondsSince(started);
    for (const { data, metadata } of rows) {
      JSON.parse(data);
      JSON.parse(metadata);
    }
    events += rows.length;
    position = last.position;
  }
}

/**
 * Appends single events to new streams for some seconds, each caller waiting for its commit. @returns events per second
 */
export async function appendRate({ log, instance }: App, callers: number, seconds: number): Promise<number> {
  const metadata = {
    time: new Date().toISOString(),
    rule: `bench ${instance.domain}`,
    command_id: randomUUID(),
    correlation_id: randomUUID(),
  };
  const started = performance.now();
  const end = started + seconds * 1_000;
  let events = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const username = randomBytes(12).toString('hex');
      const data = { username, account_id: '1' };
      // No read model takes this event, so that only the log is measured.
      await log.append(usernameStream(username), NO_STREAM, [
        { id: randomUUID(), type: 'UsernameReserved', data, metadata },
      ]);
      events += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return events / secondsSince(started);
}

const secondsSince = (started: number): number => (performance.now() - started) / 1_000;
