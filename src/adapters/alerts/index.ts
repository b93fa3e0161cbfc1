import { statement } from '#kernel/read.ts';
import type { Alerts } from '#kernel/services/alerts.ts';
import { factsAt, type FactSources } from './facts.ts';
import { findings } from './findings.ts';

/** A longer text is cut. */
const MAX_DETAIL = 1_000;

/** An open alert keeps its id and its time while its cause lasts. Resolved ones are kept for ninety days. */
const STORE = statement(
  'alerts_store',
  `with found as (
     select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as f (id, name, subject, detail)
   ), resolved as (
     update durable.alerts a set resolved_at = $5 where a.resolved_at is null
       and not exists (select from found f where f.name = a.name and f.subject = a.subject)
   ), raised as (
     insert into durable.alerts (id, name, subject, detail, raised_at)
     select id, name, subject, detail, $5 from found
     on conflict (name, subject) where resolved_at is null do update set detail = excluded.detail
   )
   delete from durable.alerts where resolved_at < $5::timestamptz - interval '90 days'`,
);

/**
 * Watches read models, checkpoints, the disk and deliveries. @param since when this process began, in milliseconds since
 * 1970
 */
export const createAlerts = (sources: FactSources, since = Date.now()): Alerts => ({
  async evaluate(now, newId) {
    const watched = Math.max(0, (Date.parse(now) - since) / 1_000);
    const found = findings(await factsAt(now, watched, sources));
    await sources.db.query(STORE, [
      found.map(() => newId()),
      found.map(({ name }) => name),
      found.map(({ subject }) => subject),
      found.map(({ detail }) => detail.slice(0, MAX_DETAIL)),
      now,
    ]);
  },
});
