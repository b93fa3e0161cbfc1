import { DEFAULT_SETTINGS, InstanceSettingsChanged } from '../src/events/instance.ts';
import { MAIN, on, type Projection } from '../src/kernel/projection.ts';
import { statement } from '../src/kernel/read.ts';

const CHANGE = statement(
  'instance_settings_change',
  `insert into instance_settings as s (id, registrations, timeline_preview)
   values (1, coalesce($1::text, $3), coalesce($2::boolean, $4))
   on conflict (id) do update set
     registrations = coalesce($1::text, s.registrations),
     timeline_preview = coalesce($2::boolean, s.timeline_preview)`,
);

/** A row of `instance_settings`, of which there is one at most. */
export interface InstanceSettingsRow {
  registrations: 'open' | 'approved' | 'closed';
  timeline_preview: boolean;
}

/** The settings of this server: one row, none before the first change. */
export const instanceSettings: Projection = {
  name: 'instance-settings',
  version: 1,
  group: MAIN,
  tables: {
    instance_settings: `
      id integer primary key,
      registrations text not null,
      timeline_preview boolean not null`,
  },
  indexes: [],
  handlers: [
    on(InstanceSettingsChanged, {
      // One key, so each run holds one event.
      keys: () => ['instance'],
      apply: async (events, db) => {
        for (const { data } of events) {
          await db.query(CHANGE, [
            data.registrations ?? null,
            data.timeline_preview ?? null,
            DEFAULT_SETTINGS.registrations,
            DEFAULT_SETTINGS.timeline_preview,
          ]);
        }
      },
    }),
  ],
};
