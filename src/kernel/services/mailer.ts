import { isRookeryError } from '../errors.ts';

/** One mail to one person. `kind` names what it is for (`confirmation`), in logs and file names. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  kind: string;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}

/** nodemailer's codes for the parts of a mail that a server may refuse: its addresses, its text. */
const REFUSED = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);

/** Whether a mail server refused a mail for good (5xx: RFC 5321 section 4.2.1): another try ends alike. */
export function isMailRefused(error: unknown): boolean {
  const cause: unknown = isRookeryError(error) ? error.cause : undefined;
  if (!(cause instanceof Error) || !('code' in cause) || !('responseCode' in cause)) return false;
  return REFUSED.has(cause.code) && Number(cause.responseCode) >= 500;
}
