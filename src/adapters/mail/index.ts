import type { Logger } from 'pino';
import type { Config } from '#config/config.ts';
import { lazy } from '#kernel/lazy.ts';
import type { Mailer, MailerOptions } from './mailer.ts';

export { boundedMailer } from './bounded.ts';

/** Returns the mailer that the settings name: SMTP, or files in the data folder. */
export function mailerFor(
  config: Config,
  { dataDir, logger, fromName }: { dataDir: string; logger: Logger; fromName: () => Promise<string> },
): Mailer {
  const { smtp } = config;
  const options: MailerOptions = {
    dataDir,
    fromAddress: smtp?.from ?? `notifications@${config.site.localDomain.replace(/:.*$/, '')}`,
    fromName,
    log: (level, message, fields) => logger[level](fields, message),
    ...(smtp
      ? {
          smtp: {
            host: smtp.host,
            port: smtp.port,
            domain: smtp.domain,
            ...(smtp.login ? { login: smtp.login.user, password: smtp.login.password } : {}),
            tls: smtp.tls ? ('implicit' as const) : smtp.startTls,
            verifyCertificate: smtp.verifyCertificate,
          },
        }
      : {}),
  };
  return lazy(async () => (await import('./mailer.ts')).openMailer(options), ['send']);
}
