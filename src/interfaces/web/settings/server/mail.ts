import { addressesOf } from '#commands/accounts/index.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { button, form } from '#interfaces/web/page/forms.ts';
import { saying } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest } from '#interfaces/web/page/page.ts';
import { invalid, isRookeryError } from '#kernel/errors.ts';
import { MAIL, staffPage, stepPage } from './steps.ts';

/** `/start/server/mail`: where mails go, and a mail to try it. */
export const mailPage = staffPage('manage_settings', {
  path: MAIL,
  show: async (request, tried) => {
    const { ctx, user, services } = request;
    const { email } = await addressesOf(ctx, user.account_id);
    return stepPage(
      request,
      'Mail',
      [
        html`${whereTo(services.mailsTo)}
          <p>
            New users confirm their address by a mail, and it is the way back for those who forgot their
            password.
          </p>`,
        html`<h2>Try it</h2>
          <p>
            A mail goes to your own address, <strong>${email}</strong>. It can be changed under
            <a href="/settings/security">Security</a>.
          </p>
          ${form(request, button('Send a test mail', 'plain'), { action: MAIL })}`,
      ],
      { tried },
    );
  },
  submit: async (request) => {
    await request.services.limitUser('password_reset', {
      ip: request.ctx.ip,
      accountId: request.user.account_id,
    });
    await sendTest(request);
    return { redirect: saying(MAIL, 'test_mail') };
  },
});

/** Throws RookeryError `invalid` with the reason when the mail server does not take it. */
async function sendTest({ ctx, user }: SignedInRequest): Promise<void> {
  const { email } = await addressesOf(ctx, user.account_id);
  const { domain } = ctx.instance;
  try {
    await ctx.services.mailer.send({
      to: email,
      kind: 'test',
      subject: `Mail of ${domain} works`,
      text: `This is a test. Mails of ${domain} reach this address.\n`,
    });
  } catch (error) {
    if (!isRookeryError(error)) throw error;
    const reason =
      error.cause instanceof Error ? error.cause.message.replaceAll(/\s+/g, ' ').slice(0, 300) : '';
    throw invalid(`The mail could not be sent. ${reason}`.trim());
  }
}

const whereTo = (server: string | undefined): Html =>
  server === undefined
    ? html`<p class="error" role="alert">
        <strong>Mail is not set up: mails are written to files, in the folder mail of DATA_DIR.</strong>
        <span>
          Nobody can sign up alone until you set SMTP_SERVER and its companions, which CONFIGURATION.md lists,
          and start the server again.
        </span>
      </p>`
    : html`<p>Mails go out over <strong dir="ltr">${server}</strong>.</p>`;
