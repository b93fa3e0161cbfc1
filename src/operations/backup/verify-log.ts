import { z } from 'zod';
import type { Verdict } from '../transparency-log/examination.ts';
import { verifyCopy } from '../transparency-log/offline.ts';
import { readLines } from './lines.ts';
import type { Manifest } from './manifest.ts';

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
  if (manifest.log_in !== 'database') return undefined;
  const checkpoints = await rowsOf(dir, manifest, 'log_checkpoints', checkpointRow);
  const divergences = await rowsOf(dir, manifest, 'log_divergences', divergenceRow);
  const copied = {
    leaves: readLines(dir, manifest.log, PAGE),
    checkpoints: checkpoints.map(({ note, made_at, number }) => ({
      note,
      number: number ?? undefined,
      source: `stored ${made_at}`,
    })),
    divergences: divergences.map(({ note }) => note),
    key,
  };
  return verifyCopy(copied, onEvents);
}

async function rowsOf<Row>(
  dir: string,
  { tables }: Manifest,
  table: string,
  schema: z.ZodType<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  const file = tables.find(({ name }) => name === `${table}.ndjson.gz`);
  if (!file) return rows;
  for await (const page of readLines(dir, file, PAGE)) {
    rows.push(...page.map((line) => schema.parse(JSON.parse(line))));
  }
  return rows;
}
