import type { Knex } from 'knex';
import type { Db } from '#kernel/read.ts';
import { openDatabase } from '../db.ts';
import { LOCKS } from '../locks.ts';
import * as foundations from './20261121080000_foundations.ts';
import * as oauth from './20261121083000_oauth.ts';
import * as reactors from './20261121100000_reactors.ts';
import * as crypto from './20261121103500_crypto.ts';
import * as linkPreviews from './20261121110000_link_previews.ts';
import * as accountAddresses from './20261122095000_account_addresses.ts';
import * as actorKeys from './20261122100000_actor_keys.ts';
import * as push from './20261122100000_push.ts';
import * as refusedSignUps from './20261122100000_refused_sign_ups.ts';
import * as rankings from './20261122101500_rankings.ts';
import * as asyncRefreshes from './20261122160000_async_refreshes.ts';
import * as logTree from './20261122160000_log_tree.ts';
import * as federationDeliveries from './20261122163000_federation_deliveries.ts';
import * as logIdentity from './20261122190000_log_identity.ts';
import * as restores from './20261122203000_restores.ts';
import * as imports from './20261122231500_imports.ts';
import * as archives from './20261123023000_archives.ts';
import * as signInSteps from './20261123024500_sign_in_steps.ts';
import * as withdrawn from './20261123031500_withdrawn.ts';
import * as boundedMails from './20261123061500_bounded_mails.ts';
import * as siteAddress from './20261123063000_site_address.ts';
import * as saidLast from './20261123093000_said_last.ts';
import * as pushFailedAt from './20261123160000_push_failed_at.ts';
import * as inboxActivities from './20261124163000_inbox_activities.ts';
import * as farewells from './20261124164000_farewells.ts';
import * as unusedApplications from './20261124171500_unused_applications.ts';
import * as mediaCache from './20261124180000_media_cache.ts';
import * as newSenders from './20261124203000_new_senders.ts';
import * as inboxClaims from './20261124204500_inbox_claims.ts';
import * as retiredActorKeys from './20261124211500_retired_actor_keys.ts';
import * as lostEnds from './20261125224500_lost_ends.ts';
import * as deliveryClaims from './20261125231000_delivery_claims.ts';
import * as followersOnly from './20261126025500_followers_only.ts';
import * as haltedProjections from './20261128080000_halted_projections.ts';
import * as programVersions from './20261128090000_program_versions.ts';
import * as logEvidence from './20261128120000_log_evidence.ts';
import * as alerts from './20261128180000_alerts.ts';
import * as operation from './20261128190000_operation.ts';
import * as timers from './20261128220000_timers.ts';
import * as inboxUsernames from './20261129020000_inbox_usernames.ts';
import * as slowHosts from './20261129060100_slow_hosts.ts';
import * as assertionKeys from './20261129080000_assertion_keys.ts';
import * as foreignStreams from './20261130002000_foreign_streams.ts';
import * as retriedProjections from './20261130110000_retried_projections.ts';
import * as damagedEvents from './20261130120000_damaged_events.ts';
import * as firstOwner from './20261130190000_first_owner.ts';
import * as projectionDigests from './20261201000000_projection_digests.ts';
import * as logTiles from './20261202001000_log_tiles.ts';
import * as witnesses from './20261202002000_witnesses.ts';

/** Durable tables only; what the log can restore needs no migration. In order; a released one never changes. */
const MIGRATIONS: Record<string, { up: (db: Knex) => Promise<void>; down: (db: Knex) => Promise<void> }> = {
  '20261121080000_foundations': foundations,
  '20261121083000_oauth': oauth,
  '20261121103500_crypto': crypto,
  '20261121100000_reactors': reactors,
  '20261121110000_link_previews': linkPreviews,
  '20261122100000_actor_keys': actorKeys,
  '20261122095000_account_addresses': accountAddresses,
  '20261122100000_push': push,
  '20261122100000_refused_sign_ups': refusedSignUps,
  '20261122101500_rankings': rankings,
  '20261122163000_federation_deliveries': federationDeliveries,
  '20261122160000_log_tree': logTree,
  '20261122160000_async_refreshes': asyncRefreshes,
  '20261122203000_restores': restores,
  '20261122190000_log_identity': logIdentity,
  '20261122231500_imports': imports,
  '20261123023000_archives': archives,
  '20261123031500_withdrawn': withdrawn,
  '20261123024500_sign_in_steps': signInSteps,
  '20261123061500_bounded_mails': boundedMails,
  '20261123063000_site_address': siteAddress,
  '20261123093000_said_last': saidLast,
  '20261123160000_push_failed_at': pushFailedAt,
  '20261124163000_inbox_activities': inboxActivities,
  '20261124164000_farewells': farewells,
  '20261124171500_unused_applications': unusedApplications,
  '20261124180000_media_cache': mediaCache,
  '20261124203000_new_senders': newSenders,
  '20261124204500_inbox_claims': inboxClaims,
  '20261124211500_retired_actor_keys': retiredActorKeys,
  '20261125224500_lost_ends': lostEnds,
  '20261125231000_delivery_claims': deliveryClaims,
  '20261126025500_followers_only': followersOnly,
  '20261128080000_halted_projections': haltedProjections,
  '20261128090000_program_versions': programVersions,
  '20261128120000_log_evidence': logEvidence,
  '20261128180000_alerts': alerts,
  '20261128190000_operation': operation,
  '20261128220000_timers': timers,
  '20261129020000_inbox_usernames': inboxUsernames,
  '20261129060100_slow_hosts': slowHosts,
  '20261129080000_assertion_keys': assertionKeys,
  '20261130002000_foreign_streams': foreignStreams,
  '20261130110000_retried_projections': retriedProjections,
  '20261130120000_damaged_events': damagedEvents,
  '20261130190000_first_owner': firstOwner,
  '20261201000000_projection_digests': projectionDigests,
  '20261202001000_log_tiles': logTiles,
  '20261202002000_witnesses': witnesses,
};

/**
 * Brings the durable tables to today's form, or to that of an earlier version, which had only these migrations. Several processes
 * may do so at once; one of them does the work.
 */
export async function migrate(url: string, only: readonly string[] = Object.keys(MIGRATIONS)): Promise<void> {
  if (await areDone(url, only)) return;
  // Loaded only where there is something to do.
  const { default: knex } = await import('knex');
  const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: 2 }, log: SILENT });
  try {
    await db.transaction(async (lock) => {
      await lock.raw(`select pg_advisory_xact_lock(${LOCKS.migrations})`);
      await db.raw('create schema if not exists durable');
      await db.migrate.latest({
        schemaName: 'durable',
        tableName: 'migrations',
        migrationSource: {
          getMigrations: () => Promise.resolve([...only]),
          getMigrationName: (name: string) => name,
          getMigration: (name: string) => Promise.resolve(MIGRATIONS[name] as Knex.Migration),
        },
      });
    });
  } finally {
    await db.destroy();
  }
}

/** Those of a list that this version does not know. */
export const unknownMigrations = (names: readonly string[]): string[] =>
  names.filter((name) => !(name in MIGRATIONS));

/** Returns the names of the migrations of a database; none before the first start. */
export async function doneMigrations(db: Db): Promise<string[]> {
  if (!(await hasTable(db, 'durable.migrations'))) return [];
  return (await db.query<{ name: string }>('select name from durable.migrations')).map(({ name }) => name);
}

/** Asked first: Postgres would log a failure. */
export async function hasTable(db: Db, table: string): Promise<boolean> {
  const [row] = await db.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  return row?.there === true;
}

async function areDone(url: string, names: readonly string[]): Promise<boolean> {
  const db = openDatabase({ url, max: 1, applicationName: 'rookery migrations' });
  try {
    const done = new Set(await doneMigrations(db));
    return names.every((name) => done.has(name));
  } finally {
    await db.close();
  }
}

/** Errors are thrown; knex would print them as well. */
const SILENT = { warn() {}, error() {}, deprecate() {}, debug() {} };
