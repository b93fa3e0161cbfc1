import { ApplicationCreated } from '#events/apps.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { statement } from '#kernel/read.ts';

const INSERT = statement(
  'applications_insert',
  `insert into applications (id, name, website, redirect_uris, scopes)
   select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])`,
);

/** A row of `applications`. */
export interface ApplicationRow {
  id: string;
  name: string;
  website: string | null;
  /** One per line. */
  redirect_uris: string;
  /** Separated by spaces. */
  scopes: string;
}

/** OAuth clients. */
export const applications: Projection = {
  name: 'applications',
  version: 1,
  group: MAIN,
  tables: {
    applications: `
      id bigint primary key,
      name text not null,
      website text,
      redirect_uris text not null,
      scopes text not null`,
  },
  indexes: [],
  handlers: [
    on(ApplicationCreated, {
      keys: ({ data }) => [data.id],
      apply: async (events, db) => {
        const rows = events.map(({ data }) => data);
        await db.query(INSERT, [
          rows.map(({ id }) => id),
          rows.map(({ name }) => name),
          rows.map(({ website }) => website),
          rows.map(({ redirect_uris }) => redirect_uris.join('\n')),
          rows.map(({ scopes }) => scopes.join(' ')),
        ]);
      },
    }),
  ],
};
