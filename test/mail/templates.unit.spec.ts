import { expect } from 'chai';
import {
  addressChangeMail,
  addressLeavesMail,
  appealMail,
  approvedMail,
  archiveReadyMail,
  confirmationMail,
  judgementMail,
  type MailContent,
  passwordChangedMail,
  passwordResetMail,
  pendingSignUpMail,
  reportMail,
  twoFactorMail,
  warningMail,
} from '#commands/mails/index.ts';
import type { StrikeGrounds } from '#mastodon/schemas/index.ts';

const facts = { domain: 'rookery.example', username: 'alice', link: 'https://rookery.example/x?token=a&b=c' };

describe('The texts of mails', () => {
  const templates: Readonly<Record<string, (given: typeof facts) => MailContent>> = {
    confirmationMail,
    addressChangeMail,
    addressLeavesMail: (given) => addressLeavesMail({ ...given, email: 'new@example.org' }),
    passwordResetMail,
    passwordChangedMail,
    approvedMail,
    archiveReadyMail: (given) => archiveReadyMail({ ...given, until: '2026-11-30' }),
    pendingSignUpMail: (given) => pendingSignUpMail({ ...given, origin: 'https://rookery.example' }),
    appealMail: (given) => appealMail({ ...given, id: '115500000000000000', action: 'suspend' }),
    judgementMail: (given) => judgementMail({ ...given, verdict: 'approved', note: 'Sorry' }),
    twoFactorMail: (given) => twoFactorMail({ ...given, news: 'recovery_code_used', left: 3 }),
  };
  for (const [name, template] of Object.entries(templates)) {
    it(`contain account, server and link in ${name}, in text and in HTML`, () => {
      const { subject, text, html = '' } = template(facts);
      expect(subject).to.contain('rookery.example');
      expect(text).to.contain('@alice').and.to.contain(`\n${facts.link}\n`);
      expect(html).to.contain('@alice').and.to.contain('href="https://rookery.example/x?token=a&amp;b=c"');
    });

    it(`escape the values of ${name}`, () => {
      const {
        subject,
        text,
        html = '',
      } = template({
        domain: 'x"><script>',
        username: '<b>\r\nBcc: e@x.org',
        link: 'https://x.org/"><script>\'\n',
      });
      expect(html).not.to.contain('<script>').and.not.to.contain('<b>');
      expect(subject).not.to.match(/[\r\n]/);
      expect(text).not.to.match(/^Bcc:/m);
      expect(html).to.match(/href="https:\/\/x\.org\/%22%3E%3Cscript%3E[^"<>]*"/);
    });
  }

  it('describe each action of staff differently, and quote their reason', () => {
    const actions = ['none', 'disable', 'sensitive', 'silence', 'suspend'] as const;
    const mails = actions.map((action) =>
      warningMail({ ...facts, action, text: 'No <b>eggs</b>\n\nBcc: e@x.org', grounds: null }),
    );
    for (const { subject, text, html = '' } of mails) {
      expect(subject).to.contain('rookery.example');
      expect(text).to.contain('Hello alice').and.to.contain('\n\nNo <b>eggs</b>\n\nBcc: e@x.org\n\n');
      expect(html).to.contain('<p>No &lt;b&gt;eggs&lt;/b&gt;</p>');
    }
    expect(new Set(mails.map(({ subject }) => subject)).size).to.equal(actions.length);
    expect(new Set(mails.map(({ text }) => text)).size).to.equal(actions.length);
  });

  it('name the grounds of an action, unless the report has none of their categories', () => {
    const rules = ['No <advertising>', 'Be kind'];
    const mailFor = (grounds: StrikeGrounds) =>
      warningMail({ ...facts, action: 'suspend', text: '', grounds }).text;
    expect(mailFor({ category: 'violation', rules })).to.contain(
      'a violation of these rules of rookery.example:\n\n– No <advertising>\n\n– Be kind\n\n',
    );
    expect(mailFor({ category: 'violation', rules: [] })).to.contain('the rules of rookery.example.');
    expect(mailFor({ category: 'spam', rules: [] })).to.contain('The reason: spam.');
    expect(mailFor({ category: 'legal', rules: [] })).to.contain('against the law');
    expect(mailFor({ category: 'other', rules: [] })).not.to.contain('reason');
  });

  it('tell staff about a report, escaped', () => {
    const {
      subject,
      text,
      html = '',
    } = reportMail({
      domain: 'rookery.example',
      id: '115500000000000000',
      origin: 'https://rookery.example',
      reporter: '@alice',
      target: '<b>\r\nBcc: e@x.org',
      category: 'spam',
    });
    expect(subject).to.contain('rookery.example').and.to.contain('115500000000000000');
    expect(text).to.contain('@alice reported').and.to.contain('spam');
    expect(text).not.to.match(/^Bcc:/m);
    expect(html).not.to.contain('<b>');
  });

  it('link to web pages only', () => {
    expect(() => confirmationMail({ ...facts, link: 'javascript:alert(1)' })).to.throw(TypeError);
  });
});
