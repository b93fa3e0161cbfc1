import { conflict } from '#kernel/errors.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { ApplicationRegistration } from '#kernel/services/credentials.ts';
import { hashSecret, newSecret } from './secrets.ts';

const REGISTER = statement<{ application_id: string }>(
  'application_register',
  `insert into durable.application_secrets (application_id, secret_hash, registration) values ($1, $2, $3)
   on conflict do nothing returning application_id`,
);
const UNUSED = statement<{ registration: string }>(
  'application_unused',
  'select registration::text as registration from durable.application_secrets where application_id = $1 and registration is not null',
);
const MARK_USED = statement(
  'application_mark_used',
  'update durable.application_secrets set registration = null where application_id = $1',
);
const FORGET = statement<{ application_id: string }>(
  'applications_forget_unused',
  `delete from durable.application_secrets where application_id in (
     select application_id from durable.application_secrets
     where registration is not null and created_at < now() - interval '1 day' limit $1
   ) returning application_id`,
);
const BATCH = 1_000;

export interface Registrations {
  /**
   * Stores a registration outside of the log. @returns its secret, of which only the hash is stored @throws
   * RookeryError `conflict`
   */
  register: (registration: ApplicationRegistration) => Promise<string>;
  /** Records an application in the log before its first token. */
  use: (applicationId: string) => Promise<void>;
}

/** Stores applications, which everyone may register. Only those that get a token enter the log. */
export const createRegistrations = (
  db: Db,
  record: (registration: ApplicationRegistration) => Promise<void>,
): Registrations => ({
  async register(registration) {
    const secret = newSecret();
    const values = [registration.id, hashSecret(secret), JSON.stringify(registration)];
    const rows = await db.query(REGISTER, values);
    if (rows.length === 0) throw conflict();
    return secret;
  },
  async use(applicationId) {
    const [unused] = await db.query(UNUSED, [applicationId]);
    if (!unused) return;
    await record(JSON.parse(unused.registration) as ApplicationRegistration);
    await db.query(MARK_USED, [applicationId]);
  },
});

/** Deletes registrations that got no token within a day, like Mastodon. */
export async function forgetUnusedApplications(db: Db): Promise<void> {
  while ((await db.query(FORGET, [BATCH])).length === BATCH);
}
