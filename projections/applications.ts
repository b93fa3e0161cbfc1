import { ApplicationCreated } from '#events/apps.ts';
import { MAIN, on, type Projection } from '#kernel/projection.ts';
import { bigint, type RowOf, table, tablesOf, text } from '#kernel/table/index.ts';

const APPLICATIONS = table(
  'applications',
  {
    id: bigint,
    name: text,
    website: text.orNull,
    /** One per line. */
    redirect_uris: text,
    /** Separated by spaces. */
    scopes: text,
  },
  ['id'],
);

export type ApplicationRow = RowOf<typeof APPLICATIONS>;

/** OAuth clients. */
export const applications: Projection = {
  name: 'applications',
  version: 1,
  group: MAIN,
  tables: tablesOf(APPLICATIONS),
  indexes: [],
  handlers: [
    on(ApplicationCreated, {
      keys: ({ data }) => [data.id],
      apply: APPLICATIONS.insert().each(({ data }) => ({
        ...data,
        redirect_uris: data.redirect_uris.join('\n'),
        scopes: data.scopes.join(' '),
      })),
    }),
  ],
};
