import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from, to } from 'pg-copy-streams';

const SCHEMA = 'bench_copy';
const LANES = 2;

/** Loads the rows of all tables of a schema into another schema by COPY, and creates the same indexes. @returns seconds */
export async function copySeconds(url: string, schema: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-copy-'));
  const clients = Array.from({ length: LANES }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const [client] = clients as [pg.Client];
  try {
    await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`);
    const { rows: tables } = await client.query<{ name: string; indexes: string[] }>(
      `select c.relname as name, array(
         select replace(pg_get_indexdef(i.indexrelid), ' ON ${schema}.', ' ON ${SCHEMA}.') from pg_index i where i.indrelid = c.oid
       ) as indexes
       from pg_class c where c.relnamespace = to_regnamespace($1) and c.relkind = 'r' order by pg_relation_size(c.oid) desc`,
      [schema],
    );
    for (const { name } of tables)
      await pipeline(
        client.query(to(`copy ${schema}.${name} to stdout`)),
        createWriteStream(join(folder, name)),
      );

    const started = performance.now();
    const waiting = [...tables];
    await Promise.all(
      clients.map(async (each) => {
        for (let table = waiting.shift(); table; table = waiting.shift()) {
          const { name, indexes } = table;
          await each.query(`create table ${SCHEMA}.${name} (like ${schema}.${name} including generated)`);
          await pipeline(
            createReadStream(join(folder, name)),
            each.query(from(`copy ${SCHEMA}.${name} from stdin`)),
          );
          for (const index of indexes) await each.query(index);
        }
      }),
    );
    return (performance.now() - started) / 1_000;
  } finally {
    await client.query(`drop schema if exists ${SCHEMA} cascade`);
    await Promise.all(clients.map((each) => each.end()));
    await rm(folder, { recursive: true });
  }
}
