import type { UserContext } from '#kernel/context.ts';
import { statement } from '#kernel/read.ts';
import type { AdminDimensionData } from '#mastodon/schemas/index.ts';
import { humanBytes } from '../measures/index.ts';

const DATABASE = statement<Database>(
  'admin_dimension_database',
  `select pg_database_size(current_database())::text as bytes, current_setting('server_version') as version`,
);

interface Database {
  bytes: string;
  version: string;
}

type Software = Readonly<Record<string, (ctx: UserContext) => Promise<AdminDimensionData[]>>>;

/** The dimensions about the software that this server runs on. */
const software = {
  space_usage: async ({ db, services }) => {
    const [[database], others] = await Promise.all([db.query(DATABASE), services.softwareVersions.usage()]);
    return [{ key: 'postgresql', human_key: 'PostgreSQL', bytes: Number(database?.bytes) }, ...others].map(
      ({ key, human_key, bytes }) => ({
        key,
        human_key,
        value: String(bytes),
        unit: 'bytes',
        human_value: humanBytes(bytes),
      }),
    );
  },
  software_versions: async ({ db, services }) => {
    const [[database], others] = await Promise.all([
      db.query(DATABASE),
      services.softwareVersions.versions(),
    ]);
    return [...others, { key: 'postgresql', human_key: 'PostgreSQL', version: database?.version ?? '' }].map(
      ({ key, human_key, version }) => ({ key, human_key, value: version, human_value: version }),
    );
  },
} satisfies Software;

export const SOFTWARE: Software = software;
export const SOFTWARE_KEYS = Object.keys(software) as (keyof typeof software)[];
