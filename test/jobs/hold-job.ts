import { createJobs } from '#adapters/jobs/jobs.ts';
import { openDatabase } from '#storage/postgres/db.ts';

/** Begins a job and never ends it. The arguments are the database and the timings of the queue. */
const [, , url = '', timings = '{}'] = process.argv;
const db = openDatabase({ url, max: 1, applicationName: 'rookery job holder' });
const jobs = createJobs({
  db,
  url,
  timings: JSON.parse(timings),
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
jobs.work('hold', async (data) => {
  process.stdout.write(`began ${JSON.stringify(data)}\n`);
  await new Promise(() => undefined);
});
await jobs.start();
await jobs.enqueue('hold', { what: 'it' });
setInterval(() => undefined, 1_000);
