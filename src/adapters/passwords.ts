import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { fairSemaphore } from '../kernel/concurrency.ts';

/** The work of a hash, as scrypt counts it. */
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
 * The hash of a password, to be stored: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` (base64 without padding, after the PHC
 * string format, https://github.com/P-H-C/phc-string-format). The parameters stand in the text, so hashes made with
 * older ones stay valid.
 * @throws RookeryError `unavailable` when too many hashes wait already
 */
export async function hashPassword(plain: string, cost = CURRENT): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return serialize({ ...cost, salt, hash: await derive(plain, { ...cost, salt }, HASH_BYTES) });
}

/**
 * True when the password is the one that was hashed. A text that is not such a hash is never verified.
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

/** True when a stored hash was made with other parameters than today's; hash again after the next login. */
export function needsRehash(stored: string, cost = CURRENT): boolean {
  const parsed = parse(stored);
  return !parsed || parsed.ln !== cost.ln || parsed.r !== cost.r || parsed.p !== cost.p;
}

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const DUMMY_SALT = randomBytes(SALT_BYTES);
/** The most that a stored hash may cost, so that a damaged one cannot exhaust the memory. */
const MAX: PasswordCost = { ln: 17, r: 16, p: 16 };
const MAX_MEMORY = 300 * 1024 * 1024;
/** Longer passwords are refused at sign-up; here this bounds the work. UTF-16 units. */
const MAX_LENGTH = 4096;

/** Hashes run on libuv's four threads, which files and DNS need too. */
const limit = fairSemaphore({ running: 2, waiting: 100 });

function derive(
  plain: string,
  { ln, r, p, salt }: PasswordCost & { salt: Buffer },
  bytes: number,
): Promise<Buffer> {
  // Keyboards differ in how they compose accents: RFC 8265 section 4.2 asks for NFC.
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
