import pino from 'pino';
import { startEmbeddedPostgres } from '#storage/embedded/embedded.ts';

// A process of its own for the specs: uses the database in the given folder until its stdin ends, or until it is killed.
const postgres = await startEmbeddedPostgres({
  dataDir: process.argv[2] ?? '',
  log: pino({ level: 'silent' }),
  onLost: () => process.exit(70),
});
process.stdout.write(`${postgres.url}\n`);
process.stdin.resume().on('end', () => void postgres.stop());
