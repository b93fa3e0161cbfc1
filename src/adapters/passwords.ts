import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { fairSemaphore } from '#kernel/concurrency.ts';

/** The cost of a hash, in scrypt's terms. */
export interface PasswordCost {
  /** log2 of the cost N. */
  ln: number;
  r: number;
  p: number;
}

/**
 * N = 2^15, r = 8, p = 3: one of the equal settings of
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#scrypt, 32 MiB for each hash.
 */
const CURRENT: PasswordCost = { ln: 15, r: 8, p: 3 };

/**
 * Returns the hash of a password for storage: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` (base64 without padding,
 * after the PHC string format, https://github.com/P-H-C/phc-string-format). The text contains the parameters,
 * so hashes with older ones stay valid.
 * @throws RookeryError `unavailable` when too many hashes wait already
 */
export async function hashPassword(plain: string, cost = CURRENT): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return serialize({ ...cost, salt, hash: await derive(plain, { ...cost, salt }, HASH_BYTES) });
}

/**
 * Tells whether a password matches a hash. Text that is no such hash never matches.
 * @throws RookeryError `unavailable` when too many hashes wait already
 */
export async function verifyPassword(plain: string, stored: string, cost = CURRENT): Promise<boolean> {
  const parsed = parse(stored);
  if (!parsed) return dummyVerify(plain, cost);
  return timingSafeEqual(await derive(plain, parsed, parsed.hash.length), parsed.hash);
}

/** Returns false after the time that `verifyPassword` takes, so timing does not reveal which users exist. */
export async function dummyVerify(plain: string, cost = CURRENT): Promise<false> {
  await derive(plain, { ...cost, salt: DUMMY_SALT }, HASH_BYTES);
  return false;
}

/**
 * Tells whether a stored hash has other parameters than the current ones, and is to be replaced after the
 * next login.
 */
export function needsRehash(stored: string, cost = CURRENT): boolean {
  const parsed = parse(stored);
  return !parsed || parsed.ln !== cost.ln || parsed.r !== cost.r || parsed.p !== cost.p;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const DUMMY_SALT = randomBytes(SALT_BYTES);
/** The maximum cost of a stored hash, so that a damaged one cannot exhaust the memory. */
const MAX: PasswordCost = { ln: 17, r: 16, p: 16 };
const MAX_MEMORY = 300 * 1024 * 1024;
/** UTF-16 units. Sign-up refuses longer passwords; here this bounds the work. */
const MAX_LENGTH = 4096;

/** Hashes run on libuv's four threads, which files and DNS need too. */
const limit = fairSemaphore({ running: 2, waiting: 100 });

function derive(
  plain: string,
  { ln, r, p, salt }: PasswordCost & { salt: Buffer },
  bytes: number,
): Promise<Buffer> {
  // Keyboards compose accents differently: RFC 8265 section 4.2 asks for NFC.
  const password = plain.slice(0, MAX_LENGTH).normalize('NFC');
  return limit(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password, salt, bytes, { N: 2 ** ln, r, p, maxmem: MAX_MEMORY }, (error, key) => {
          if (error) reject(error);
          else resolve(key);
        });
      }),
  );
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const serialize = ({ ln, r, p, salt, hash }: PasswordCost & { salt: Buffer; hash: Buffer }): string =>
  `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;

const FORMAT =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

function parse(stored: string): (PasswordCost & { salt: Buffer; hash: Buffer }) | undefined {
  const [, ln, r, p, salt = '', hash = ''] = FORMAT.exec(stored) ?? [];
  const parameters = { ln: Number(ln), r: Number(r), p: Number(p) };
  const inRange = (name: keyof PasswordCost): boolean =>
    parameters[name] >= 1 && parameters[name] <= MAX[name];
  if (!inRange('ln') || !inRange('r') || !inRange('p')) return undefined;
  return { ...parameters, salt: Buffer.from(salt, 'base64'), hash: Buffer.from(hash, 'base64') };
}
