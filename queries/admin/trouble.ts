import { endpoint } from '#kernel/endpoint.ts';
import { statement } from '#kernel/read.ts';
import { ALERT_NAMES } from '#mastodon/alerts.ts';
import { type AdminTrouble, adminTroubleSchema } from '#mastodon/schemas/index.ts';

const MOST_ALERTS = 20;
const MOST_REACTORS = 100;

/** One statement about tables that no read model contains. $1 is the known names of alerts. */
const TROUBLE = statement<Row>(
  'admin_trouble',
  `with open as (select * from durable.alerts where resolved_at is null and name = any($1))
   select (select count(*)::int from open) as alerts_count,
     (select coalesce(json_agg(o), '[]') from (
        select id::text, name, subject, detail, raised_at from open order by id desc limit ${MOST_ALERTS}) o) as alerts,
     (select coalesce(json_agg(p order by p.name), '[]') from (
        select distinct on (name) name, case when halted then 'halted' else 'stopped' end as state, failure ->> 'error' as error
        from durable.projections where failure is not null order by name, version desc) p) as projections,
     (select coalesce(json_agg(r), '[]') from (
        select reactor as name, count(*)::int as dead_letters from durable.set_aside_events
        group by reactor order by 2 desc, 1 limit ${MOST_REACTORS}) r) as reactors`,
);

type Row = Omit<AdminTrouble, 'timers'>;

/** Tells the operator what is wrong now. It must answer while read models are halted. */
export const showTrouble = endpoint({
  method: 'GET',
  path: '/api/v1/admin/trouble',
  summary: 'View what is wrong now: open alerts, halted read models, failing timers and reactors',
  auth: 'user',
  scopes: ['admin:read'],
  permission: 'view_devops',
  reads: [],
  reply: adminTroubleSchema,
  handler: async ({ db, services }) => {
    const [[row], timers] = await Promise.all([db.query(TROUBLE, [ALERT_NAMES]), services.reactors.timers()]);
    const { alerts_count, alerts, projections, reactors } = row ?? NOTHING;
    return {
      json: {
        alerts_count,
        alerts: alerts.map((alert) => ({ ...alert, raised_at: new Date(alert.raised_at).toISOString() })),
        projections,
        reactors,
        timers: timers
          .filter(({ state }) => state !== 'running')
          .map(({ name, state, error }) => ({ name, state, error })),
      },
    };
  },
});

const NOTHING: Row = { alerts_count: 0, alerts: [], projections: [], reactors: [] };

export const adminTroubleQueries = [showTrouble];
