import { Secret, TOTP } from 'otpauth';

/** Settings that all authenticator apps support: SHA-1, six digits, 30 seconds (RFC 6238). */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Bytes of a secret; RFC 4226 section 4 recommends the length of the hash. */
const SECRET_BYTES = 20;
/**
 * Accepted time steps before and after the present one: clocks differ, and people type slowly (RFC 6238
 * section 5.2).
 */
const WINDOW = 1;

/** Returns a new secret in Base32, 32 characters. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the text of the QR code: https://github.com/google/google-authenticator/wiki/Key-Uri-Format */
export const totpUri = (facts: { secret: string; domain: string; username: string }): string =>
  new TOTP({
    ...SETTINGS,
    issuer: facts.domain,
    label: facts.username,
    secret: Secret.fromBase32(facts.secret),
  }).toString();

/** Returns the code of a moment (ISO 8601). */
export const totpCode = (secret: string, at: string): string =>
  TOTP.generate({ ...SETTINGS, secret: Secret.fromBase32(secret), timestamp: Date.parse(at) });

/** Returns the time step of a code around the moment `now` (ISO 8601); undefined for a wrong code. */
export function timeStepOf(secret: string, code: string, now: string): number | undefined {
  // An erasure leaves an empty secret, whose codes are not accepted. Non-ASCII digits make the library throw.
  if (secret === '' || !/^[0-9]{6}$/.test(code)) return undefined;
  const timestamp = Date.parse(now);
  const off = TOTP.validate({
    ...SETTINGS,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp,
    window: WINDOW,
  });
  return off === null ? undefined : TOTP.counter({ period: SETTINGS.period, timestamp }) + off;
}
