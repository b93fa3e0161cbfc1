import { endpoint } from '#kernel/endpoint.ts';
import { type Db, statement } from '#kernel/read.ts';
import { type AdminHealth, adminHealthSchema } from '#mastodon/schemas/index.ts';

/** One statement, so that a page can have it. */
const DATABASE = statement<Row>(
  'admin_health',
  `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
     (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
     current_setting('max_connections')::int as max_connections,
     (select coalesce(json_agg(b), '[]') from (
        select taken_at, finished_at, position::text, events::float8, folder, media, keys
        from durable.backups order by taken_at desc limit 10) b) as backups`,
);

type Row = NonNullable<AdminHealth['database']> & Pick<AdminHealth, 'backups'>;

export const showHealth = endpoint({
  method: 'GET',
  path: '/api/v1/admin/health',
  summary: 'View the state of the parts below this server, and its last backups',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_devops',
  // It must answer while read models are halted.
  reads: [],
  reply: adminHealthSchema,
  handler: async ({ db, services }) => {
    const { serverHealth, softwareVersions } = services;
    const [database, findings, machine, versions, usage] = await Promise.all([
      partsIn(db),
      serverHealth.examine(),
      serverHealth.machine(),
      unlessFails(softwareVersions.versions()),
      unlessFails(softwareVersions.usage()),
    ]);
    return {
      json: {
        findings: [...findings, ...database.findings],
        ...machine,
        ...database.parts,
        versions: versions?.map(({ key, human_key, version }) => ({ key, name: human_key, version })) ?? [],
        usage: usage?.map(({ key, human_key, bytes }) => ({ key, name: human_key, bytes })) ?? [],
      },
    };
  },
});

/** A part that fails, as on a full disk, does not hide the others. */
const unlessFails = <T>(asked: Promise<T>): Promise<T | undefined> => asked.catch(() => undefined);

interface Looked {
  findings: AdminHealth['findings'];
  parts: Pick<AdminHealth, 'database' | 'backups'>;
}

async function partsIn(db: Db): Promise<Looked> {
  try {
    const [row] = await db.query(DATABASE);
    if (row) return { findings: [], parts: partsOf(row) };
    throw new Error('no reply');
  } catch (error) {
    const text = `cannot be looked at: ${(error as Error).message}`;
    const finding = { name: 'database', state: 'broken', text } as const;
    return { findings: [finding], parts: { database: null, backups: [] } };
  }
}

function partsOf({ backups, ...database }: Row): Looked['parts'] {
  return {
    database,
    backups: backups.map((backup) => ({
      ...backup,
      taken_at: new Date(backup.taken_at).toISOString(),
      finished_at: new Date(backup.finished_at).toISOString(),
    })),
  };
}
