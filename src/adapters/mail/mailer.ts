import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SMTPPoolOptions } from 'nodemailer';
import { createTransport } from 'nodemailer';
import { fairSemaphore } from '#kernel/concurrency.ts';
import { isRookeryError, RookeryError } from '#kernel/errors.ts';
import { makeFolder } from '#kernel/files.ts';
import type { Mail, Mailer as MailerPort } from '#kernel/services/mailer.ts';
import { mailFolder } from './written.ts';

/** An outgoing mailer that can be closed. */
export interface Mailer extends MailerPort {
  /**
   * Resolves when the server has accepted the mail, or the file is written.
   * @throws RookeryError `unavailable` after a failure or the deadline. The mail may have been sent all the
   * same; sending it again is right.
   */
  send(mail: Mail): Promise<void>;
  /** Closes the connections. */
  close(): void;
}

/** The mail server. `tls`: from the first byte, by STARTTLS always, when offered (`auto`), or never. */
export interface SmtpSettings {
  host: string;
  port: number;
  /** The name in the greeting; by default the name of this machine. */
  domain?: string | undefined;
  login?: string;
  password?: string;
  tls: 'implicit' | 'always' | 'auto' | 'never';
  /** False accepts any certificate. The default is true. */
  verifyCertificate?: boolean;
}

export interface MailerOptions {
  /** Without it, mail is written to files in `<dataDir>/mail`. */
  smtp?: SmtpSettings;
  dataDir: string;
  /** `name@domain` or `Name <name@domain>`. */
  fromAddress: string;
  /** Returns the name of the sender, where the address has none. */
  fromName?: () => Promise<string>;
  log: (level: 'info', message: string, fields: Record<string, unknown>) => void;
  /** Milliseconds for one mail, including the wait for a connection. */
  deadline?: number;
}

/** Creates the mailer. Nothing connects before the first mail. */
export function openMailer(options: MailerOptions): Mailer {
  return options.smtp ? smtpMailer(options.smtp, options) : fileMailer(options);
}

const DEADLINE = 30_000;
/** Connections to the mail server. */
const CONNECTIONS = 2;
/** Mails that wait for a connection. */
const WAITING = 1_000;

function smtpMailer(smtp: SmtpSettings, options: MailerOptions): Mailer {
  const { deadline = DEADLINE } = options;
  const transport = createTransport(poolOptions(smtp, deadline));
  // The pool itself would keep waiting mails, and send every try of a mail once the server is back.
  const inTurn = fairSemaphore({ running: CONNECTIONS, waiting: WAITING });
  return {
    async send(mail) {
      let isWanted = true;
      const sent = inTurn(async () => {
        if (isWanted) await transport.sendMail(message(mail, await senderOf(options)));
      });
      try {
        await within(deadline, sent);
      } catch (error) {
        if (isRookeryError(error)) throw error;
        throw new RookeryError('unavailable', 'The mail could not be sent', { cause: error });
      } finally {
        // Callers that still want it retry.
        isWanted = false;
      }
    },
    close: () => transport.close(),
  };
}

function poolOptions(smtp: SmtpSettings, deadline: number): SMTPPoolOptions & { pool: true } {
  return {
    pool: true,
    host: smtp.host,
    port: smtp.port,
    ...(smtp.domain === undefined ? {} : { name: smtp.domain }),
    secure: smtp.tls === 'implicit',
    requireTLS: smtp.tls === 'always',
    ignoreTLS: smtp.tls === 'never',
    tls: { rejectUnauthorized: smtp.verifyCertificate !== false },
    ...(smtp.login === undefined ? {} : { auth: { user: smtp.login, pass: smtp.password ?? '' } }),
    maxConnections: CONNECTIONS,
    maxRequeues: 1,
    dnsTimeout: deadline,
    connectionTimeout: deadline,
    greetingTimeout: deadline,
    socketTimeout: deadline,
  };
}

/** A deadline for the whole, since those of the connection restart with each step. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RookeryError('unavailable', 'The mail server took too long')),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** For a server without SMTP: the operator finds the mail in a file, and the name of the file in the log. */
function fileMailer(options: MailerOptions): Mailer {
  const { dataDir, log } = options;
  const directory = mailFolder(dataDir);
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message: source } = await transport.sendMail(message(mail, await senderOf(options)));
      const time = new Date().toISOString().replaceAll(':', '-');
      const kind = mail.kind.replace(/[^a-z0-9-]+/gi, '-').slice(0, 40);
      const file = join(directory, `${time}-${kind}-${randomUUID()}.eml`);
      try {
        await makeFolder(directory, 0o700);
        await writeFile(file, source as Buffer, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        throw new RookeryError('unavailable', 'The mail could not be written', { cause: error });
      }
      // Neither the address nor a link: more people read logs, and they are kept longer than mail.
      log('info', 'mail written', { file });
    },
    close: () => transport.close(),
  };
}

type Sender = string | { name: string; address: string };

/** Returns the sender. A name that cannot be read keeps no mail back. */
async function senderOf({ fromAddress, fromName }: MailerOptions): Promise<Sender> {
  if (fromAddress.includes('<') || !fromName) return fromAddress;
  const name = await fromName().catch(() => '');
  return { name, address: fromAddress };
}

/** `to` is given in parts, so that it is always one mailbox and never a list. */
const message = (mail: Mail, from: Sender) => ({
  from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  ...(mail.html === undefined ? {} : { html: mail.html }),
  // Asks mailing lists and auto-responders not to answer: RFC 3834.
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});
