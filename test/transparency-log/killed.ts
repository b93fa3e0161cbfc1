import { checkpointDigest } from '#operations/transparency-log/checkpoint-digest.ts';
import { noteSigner } from '#operations/transparency-log/note.ts';
import { record } from '#operations/transparency-log/record.ts';
import { openPostgresEventStore } from '#storage/eventlog/postgres.ts';
import { openDatabase } from '#storage/postgres/db.ts';

/** Runs as a process of its own: hashes two pages of a database's log into its tree, then is killed. */
const [, , url = '', page = ''] = process.argv;
let pages = 0;
await record(
  {
    db: openDatabase({ url, max: 1, applicationName: 'killed' }),
    store: await openPostgresEventStore(url),
    origin: 'log.example',
    signer: noteSigner(Buffer.alloc(32, 7)),
    digestOf: checkpointDigest(Buffer.alloc(32, 7)),
    file: undefined,
  },
  {
    page: Number(page),
    mayGoOn: () => {
      if ((pages += 1) > 2) process.kill(process.pid, 'SIGKILL');
      return true;
    },
  },
);
