import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '#kernel/read.ts';

/** Returns the tables, including those of the log and of jobs, that hold one of these texts in any case. */
export async function tablesWith(db: Db, texts: readonly string[]): Promise<string[]> {
  const tables = await db.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>(
      `select t::text as row from ${name} t where t::text ilike any($1::text[]) limit 3`,
      [texts.map((text) => `%${text}%`)],
    );
    found.push(...rows.map(({ row }) => `${name}: ${row.slice(0, 300)}`));
  }
  return found;
}

/** Returns the paths of all files below a folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** Returns the paths of the files below a folder that hold one of these texts in any case. */
export async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.map((text) => text.toLowerCase());
  const found: string[] = [];
  for (const path of await filesBelow(folder)) {
    const content = (await readFile(path, 'latin1')).toLowerCase();
    if (wanted.some((text) => content.includes(text))) found.push(path);
  }
  return found;
}
