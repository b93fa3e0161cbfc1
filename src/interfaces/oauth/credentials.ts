import {
  dummyVerify,
  hashPassword,
  needsRehash,
  type PasswordCost,
  verifyPassword,
} from '#adapters/passwords.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { Credentials } from '#kernel/services/credentials.ts';
import { hashSecret, newSecret } from './secrets.ts';

const HOUR = 3_600;
/** Seconds that a code of a kind is valid; other kinds are valid for a day. */
const LIFETIMES: Record<string, number> = { reset_password: 6 * HOUR, confirmation: 48 * HOUR };
const DEFAULT_LIFETIME = 24 * HOUR;
const lifetimeOf = (kind: string): number => LIFETIMES[kind] ?? DEFAULT_LIFETIME;
const LONGEST_LIFETIME = Math.max(DEFAULT_LIFETIME, ...Object.values(LIFETIMES));

const SET_PASSWORD = statement(
  'credentials_set_password',
  `with mailed as (
     delete from durable.one_time_codes where account_id = $1 and kind <> 'confirmation'
   )
   insert into durable.credentials (account_id, password_hash) values ($1, $2)
   on conflict (account_id) do update set password_hash = excluded.password_hash, changed_at = now()`,
);
const REHASH = statement(
  'credentials_rehash',
  'update durable.credentials set password_hash = $3 where account_id = $1 and password_hash = $2',
);
const PASSWORD = statement<{ password_hash: string }>(
  'credentials_password',
  'select password_hash from durable.credentials where account_id = $1',
);
const CREATE_CODE = statement(
  'one_time_code_create',
  `with stale as (
     delete from durable.one_time_codes where created_at < now() - make_interval(secs => $5)
   )
   insert into durable.one_time_codes (code_hash, kind, account_id, value) values ($1, $2, $3, $4)`,
);
const USE_CODE = statement<UsedCode>(
  'one_time_code_use',
  `delete from durable.one_time_codes where code_hash = $1 and kind = $2
   returning account_id, value, created_at > now() - make_interval(secs => $3) as valid`,
);

const HAS_CODE = statement(
  'one_time_code_has',
  `select 1 from durable.one_time_codes
   where code_hash = $1 and kind = $2 and created_at > now() - make_interval(secs => $3)`,
);
const VOID_EARLIER = statement(
  'one_time_codes_void_earlier',
  `delete from durable.one_time_codes earlier using durable.one_time_codes c
   where c.code_hash = $1 and c.kind = $2 and earlier.account_id = c.account_id and earlier.kind = c.kind
     and earlier.created_at < c.created_at`,
);
const VOID_CODES = statement(
  'one_time_codes_void',
  'delete from durable.one_time_codes where account_id = $1',
);

/** Passwords and one-time codes in Postgres. `cost` replaces the default cost of new hashes. */
export function createCredentials(db: Db, cost?: PasswordCost): Credentials {
  return {
    async setPassword(accountId, password) {
      await db.query(SET_PASSWORD, [accountId, await hashPassword(password, cost)]);
    },
    async verifyPassword(accountId, password) {
      const stored = accountId === undefined ? undefined : await storedHash(db, accountId);
      if (accountId === undefined || stored === undefined) return dummyVerify(password, cost);
      if (!(await verifyPassword(password, stored, cost))) return false;
      // Unless the password was changed in the meantime.
      if (needsRehash(stored, cost))
        await db.query(REHASH, [accountId, stored, await hashPassword(password, cost)]);
      return true;
    },
    async createCode(kind, accountId, value) {
      const code = newSecret();
      await db.query(CREATE_CODE, [hashSecret(code), kind, accountId, value, LONGEST_LIFETIME]);
      return code;
    },
    async voidEarlierCodes(kind, code) {
      await db.query(VOID_EARLIER, [hashSecret(code), kind]);
    },
    async useCode(kind, code) {
      const [used] = await db.query(USE_CODE, [hashSecret(code), kind, lifetimeOf(kind)]);
      return used?.valid ? { accountId: used.account_id, value: used.value } : undefined;
    },
    hasCode: async (kind, code) =>
      (await db.query(HAS_CODE, [hashSecret(code), kind, lifetimeOf(kind)])).length > 0,
    async voidCodes(accountId) {
      await db.query(VOID_CODES, [accountId]);
    },
  };
}

interface UsedCode {
  account_id: string;
  value: string;
  valid: boolean;
}

async function storedHash(db: Db, accountId: string): Promise<string | undefined> {
  const [row] = await db.query(PASSWORD, [accountId]);
  return row?.password_hash;
}
