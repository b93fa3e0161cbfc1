import { z } from 'zod';
import { Examination, type Verdict } from '../transparency-log/examination.ts';
import { isVoidBy, parseDivergence } from '../transparency-log/divergences.ts';
import { ownCheckpoints } from '../transparency-log/kept.ts';
import { positionIn } from '../transparency-log/leaf.ts';
import { leafHash } from '../transparency-log/merkle.ts';
import { parseVerifierKey } from '../transparency-log/note.ts';
import { readLines } from './lines.ts';
import type { BackupFile, Manifest } from './manifest.ts';

/** Lines per read. */
const PAGE = 1_000;

const checkpointRow = z.object({ note: z.string(), made_at: z.string(), number: z.number().nullish() });
const divergenceRow = z.object({ note: z.string() });

/**
 * Compares the log in a backup with the checkpoints in it, without a database.
 * @param key the key that signed them
 * @returns undefined where the log is not in the backup
 * @throws RookeryError `invalid` for checkpoints that the key did not sign
 */
export async function verifyBackedUpLog(
  dir: string,
  manifest: Manifest,
  key: string,
  onEvents: (events: number) => void,
): Promise<Verdict | undefined> {
  const { log, log_in } = manifest;
  if (log_in !== 'database') return undefined;
  const examination = new Examination(await checkpointsIn(dir, manifest, key));
  let events = 0;
  for await (const page of readLines(dir, log, PAGE)) {
    for (const line of page) {
      const leaf = Buffer.from(line);
      const position = positionIn(leaf);
      if (position === undefined) examination.fail(`Line ${events + 1} of the log is no event`);
      else examination.take(leafHash(leaf), position);
      events += 1;
    }
    onEvents(events);
  }
  return examination.end();
}

async function checkpointsIn(dir: string, { tables }: Manifest, key: string) {
  const fileOf = (table: string): BackupFile | undefined =>
    tables.find(({ name }) => name === `${table}.ndjson.gz`);
  const divergences = (await rowsOf(dir, fileOf('log_divergences'), divergenceRow)).map(({ note }) =>
    parseDivergence(note),
  );
  const { publicKey } = parseVerifierKey(key);
  const rows = await rowsOf(dir, fileOf('log_checkpoints'), checkpointRow);
  return rows
    .flatMap(({ note, made_at, number }) =>
      ownCheckpoints({ name: `stored ${made_at}`, text: note }, publicKey).map((kept) => ({
        ...kept,
        number,
      })),
    )
    .filter(
      ({ size, number }) =>
        !divergences.some((each) => isVoidBy(each, { size, number: number ?? undefined })),
    );
}

async function rowsOf<Row>(
  dir: string,
  file: BackupFile | undefined,
  schema: z.ZodType<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  if (!file) return rows;
  for await (const page of readLines(dir, file, PAGE)) {
    rows.push(...page.map((line) => schema.parse(JSON.parse(line))));
  }
  return rows;
}
