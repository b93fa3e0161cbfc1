import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** Accounts that one browser is remembered for; further ones replace the oldest. */
const MOST = 5;
/** The length of a name and of a mark: 128 bits. */
const BYTES = 16;
const FORM = /^[\w-]{22}(?:\.[\w-]{22}){0,5}$/;

/** The password with which an account signed in; `since` changes with each new password. */
export interface ProvenPassword {
  accountId: string;
  since: string;
}

/**
 * Remembers in a cookie for which accounts a browser has signed in, so that a stranger who uses up the attempts of an
 * account does not lock out its owner. A cookie is a random name and a signed mark for each account. A mark names
 * no account, and proves nothing once the password has changed. Nothing is stored.
 */
export class Devices {
  readonly #secret: KeyObject;

  constructor(secret: KeyObject) {
    this.#secret = secret;
  }

  /** Returns the key that counts the attempts of this browser at the account; undefined for an unknown browser. */
  keyOf(cookie: string | undefined, password: ProvenPassword): string | undefined {
    if (cookie === undefined || !FORM.test(cookie)) return undefined;
    const [name = '', ...marks] = cookie.split('.');
    const mark = this.#markOf(name, password);
    const knows = marks.some((each) => timingSafeEqual(Buffer.from(each), Buffer.from(mark)));
    return knows ? `device:${name}:${password.accountId}` : undefined;
  }

  /** Returns the cookie's new value after a sign-in. */
  remember(cookie: string | undefined, password: ProvenPassword): string {
    const known =
      cookie !== undefined && FORM.test(cookie) ? cookie : randomBytes(BYTES).toString('base64url');
    const [name = '', ...marks] = known.split('.');
    const mark = this.#markOf(name, password);
    return [name, mark, ...marks.filter((each) => each !== mark).slice(0, MOST - 1)].join('.');
  }

  #markOf(name: string, { accountId, since }: ProvenPassword): string {
    const text = `device\0${name}\0${accountId}\0${since}`;
    const digest = createHmac('sha256', this.#secret).update(text).digest();
    return digest.subarray(0, BYTES).toString('base64url');
  }
}
