import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pino from 'pino';
import { mailerFor } from '#adapters/mail/index.ts';
import type { Mailer, MailerOptions } from '#adapters/mail/mailer.ts';
import { openMailer } from '#adapters/mail/mailer.ts';
import { addressChangeMail, confirmationMail, passwordResetMail } from '#commands/mails/index.ts';
import { mailEach } from '#commands/staff-mails/mail-staff.ts';
import { loadConfig } from '#config/config.ts';
import type { CommandContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { isMailRefused } from '#kernel/services/mailer.ts';
import { patience } from '../support/deadlines.ts';
import { eventually } from '../support/eventually.ts';
import type { SmtpSink } from '../support/smtp-sink.ts';
import { openSmtpSink } from '../support/smtp-sink.ts';

const link = 'https://rookery.example/auth/confirmation?confirmation_token=abc_123';
const mail = {
  to: 'alice@example.org',
  ...confirmationMail({ domain: 'rookery.example', username: 'alice', link }),
};

describe('The mailer', () => {
  let dataDir: string;
  let logged: { message: string; fields: Record<string, unknown> }[];
  let mailer: Mailer | undefined;
  let sink: SmtpSink | undefined;

  const open = (options: Partial<MailerOptions> = {}): Mailer => {
    const log: MailerOptions['log'] = (_level, message, fields) => logged.push({ message, fields });
    mailer = openMailer({ dataDir, fromAddress: 'Rookery <noreply@rookery.example>', log, ...options });
    return mailer;
  };
  const openSmtp = async (
    behaviour: Parameters<typeof openSmtpSink>[0] = {},
    deadline = patience(5_000),
  ): Promise<Mailer> => {
    sink = await openSmtpSink(behaviour);
    return open({ smtp: { host: '127.0.0.1', port: sink.port, tls: 'never' }, deadline });
  };
  const failure = async (attempt: Promise<void>) => {
    const error = await attempt.catch((reason: unknown) => reason);
    if (!isRookeryError(error)) throw new Error('expected a RookeryError', { cause: error });
    return error.code;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-mail-'));
    logged = [];
  });
  afterEach(async () => {
    mailer?.close();
    await sink?.close();
    mailer = sink = undefined;
    await rm(dataDir, { recursive: true });
  });

  describe('with an SMTP server', () => {
    it('sends text and HTML', async () => {
      await (await openSmtp()).send(mail);
      const [received] = sink!.received;
      expect(received).to.deep.include({ from: 'noreply@rookery.example', to: ['alice@example.org'] });
      expect(received!.source).to.contain('From: Rookery <noreply@rookery.example>');
      expect(received!.source).to.contain('Subject: Confirm your account on rookery.example');
      expect(received!.source).to.contain('Auto-Submitted: auto-generated');
      expect(received!.source).to.contain('multipart/alternative').and.to.contain('text/html');
      expect(await readdir(dataDir)).to.deep.equal([]);
    });

    it('follows the settings', async () => {
      sink = await openSmtpSink();
      const config = loadConfig({
        SMTP_SERVER: '127.0.0.1',
        SMTP_PORT: String(sink.port),
        SMTP_DOMAIN: 'out.rookery.example',
        SMTP_FROM_ADDRESS: 'Rookery <post@rookery.example>',
        SMTP_ENABLE_STARTTLS: 'never',
      });
      const fromName = (): Promise<string> => Promise.resolve('Birds');
      mailer = mailerFor(config, { dataDir, logger: pino({ level: 'silent' }), fromName });
      await mailer.send(mail);
      expect(sink.received[0]).to.include({ greeting: 'out.rookery.example', from: 'post@rookery.example' });
      expect(sink.received[0]?.source).to.match(/^From: Rookery <post@rookery\.example>/m);
    });

    it("uses the server's name as the sender's, unless the address has one or the name cannot be read", async () => {
      const names = ['Birds & "Bees" <x@evil.example>', 'Krähen'];
      for (const name of names) {
        await open({ fromAddress: 'post@rookery.example', fromName: () => Promise.resolve(name) }).send(mail);
      }
      await open({
        fromAddress: 'post@rookery.example',
        fromName: () => Promise.reject(new Error('no database')),
      }).send(mail);
      const files = (await readdir(join(dataDir, 'mail'))).sort();
      const senders = await Promise.all(
        files.map(async (file) => {
          const source = await readFile(join(dataDir, 'mail', file), 'utf8');
          return /^From: (.*)$/m.exec(source)?.[1] ?? '';
        }),
      );
      expect(senders[0]).to.equal('"Birds & \\"Bees\\" <x@evil.example>" <post@rookery.example>');
      expect(senders[1]).to.match(/^=\?UTF-8\?.*\?= <post@rookery\.example>$/);
      expect(senders[2]).to.equal('post@rookery.example');
    });

    it('shares connections', async () => {
      const pooled = await openSmtp();
      for (let n = 0; n < 5; n += 1) await pooled.send(mail);
      expect(sink!.received).to.have.length(5);
      expect(sink!.connections()).to.be.at.most(2);
    });

    it('fails when the server refuses the mail', async () => {
      expect(await failure((await openSmtp({ refuse: true })).send(mail))).to.equal('unavailable');
    });

    it('fails when the server accepts no connection, or does not respond', async () => {
      const gone = await openSmtp();
      await sink!.close();
      expect(await failure(gone.send(mail))).to.equal('unavailable');
      gone.close();
      expect(await failure((await openSmtp({ silent: true }, 100)).send(mail))).to.equal('unavailable');
    });

    it('distinguishes a permanent refusal from an unreachable server, without delaying other mails', async () => {
      const { send } = await openSmtp({ refuse: mail.to });
      expect(isMailRefused(await send(mail).catch((error: unknown) => error))).to.equal(true);
      const ctx = { services: { mailer: { send } } } as unknown as CommandContext;
      await mailEach(ctx, [mail.to, 'bob@example.org'], mail);
      expect(sink!.received.map(({ to }) => to)).to.deep.equal([['bob@example.org']]);
      const alone = await mailEach(ctx, [mail.to], mail).catch((error: unknown) => error);
      expect(isMailRefused(alone)).to.equal(true);
      const away = await (await openSmtp({ silent: true }, 100)).send(mail).catch((error: unknown) => error);
      expect(isMailRefused(away)).to.equal(false);
    });

    it('does not send an abandoned mail when the server responds again', async () => {
      const behaviour = { silent: true };
      // A busy machine needs this long to hand over a mail once the server answers.
      const { send } = await openSmtp(behaviour, patience(1_500));
      for (const _ of [1, 2, 3]) {
        const tries = [mail, mail, mail, mail].map((each) => failure(send(each)));
        expect(new Set(await Promise.all(tries))).to.deep.equal(new Set(['unavailable']));
      }
      // The pool opens another connection for a mail whose first connection ended, so this waits until none follows.
      await eventually(async () => {
        for (let look = 0; look < 25; look += 1) {
          expect(sink!.open()).to.equal(0);
          await sleep(20);
        }
      });
      behaviour.silent = false;
      await eventually(() => send({ ...mail, to: 'bob@example.org' }));
      expect(new Set(sink!.received.flatMap(({ to }) => to))).to.deep.equal(new Set(['bob@example.org']));
    });

    it('sends to one recipient with one subject, whatever characters these contain', async () => {
      const careful = await openSmtp();
      await careful.send({ ...mail, subject: 'a\r\nBcc: eve@example.org\r\n\r\nb' });
      expect(sink!.received[0]!.to).to.deep.equal(['alice@example.org']);
      expect(sink!.received[0]!.source).not.to.match(/^Bcc:/im);
      for (const to of ['alice@example.org, eve@example.org', 'alice@example.org\r\nBcc: eve@example.org']) {
        await careful.send({ ...mail, to }).catch(() => undefined);
      }
      const recipients = sink!.received.flatMap(({ to }) => to);
      expect(recipients).not.to.include('eve@example.org');
    });
  });

  describe('without an SMTP server', () => {
    it('logs no link, which opens an account or confirms its address', async () => {
      const facts = { domain: 'rookery.example', username: 'alice', link: `${link}sesame` };
      for (const secret of [passwordResetMail(facts), addressChangeMail(facts), confirmationMail(facts)]) {
        await open().send({ ...secret, to: 'alice@example.org' });
      }
      expect(logged).to.have.length(3);
      expect(JSON.stringify(logged)).not.to.contain('sesame');
    });

    it('writes the mail to a file that only the operator can read', async () => {
      await open().send(mail);
      const [name] = await readdir(join(dataDir, 'mail'));
      expect(name).to.match(/^\d{4}-.*-confirmation-.*\.eml$/);
      const file = join(dataDir, 'mail', name!);
      expect((await stat(file)).mode & 0o777).to.equal(0o600);
      const source = await readFile(file, 'utf8');
      expect(source).to.contain('To: alice@example.org').and.to.contain('Subject: Confirm your account');
    });

    it('logs its file, and no address', async () => {
      await open().send(mail);
      expect(logged).to.have.length(1);
      expect(logged[0]).to.deep.include({ message: 'mail written' });
      expect(Object.keys(logged[0]!.fields)).to.deep.equal(['file']);
      expect(JSON.stringify(logged)).not.to.contain('alice');
    });

    it('writes each mail to a file of its own in its folder, even in the same moment', async () => {
      const files = open();
      await Promise.all(Array.from({ length: 5 }, () => files.send({ ...mail, kind: '../../x/y' })));
      expect(await readdir(join(dataDir, 'mail'))).to.have.length(5);
    });
  });
});
