import { expect } from 'chai';
import { addressChangeMail, approvedMail, confirmationMail } from '../../src/mail/templates.ts';

const facts = { domain: 'rookery.example', username: 'alice', link: 'https://rookery.example/x?token=a&b=c' };

describe('the texts of mails', () => {
  for (const template of [confirmationMail, addressChangeMail, approvedMail]) {
    it(`${template.name} names account, server and link, in text and in HTML`, () => {
      const { subject, text, html = '' } = template(facts);
      expect(subject).to.contain('rookery.example');
      expect(text).to.contain('@alice').and.to.contain(`\n${facts.link}\n`);
      expect(html).to.contain('@alice').and.to.contain('href="https://rookery.example/x?token=a&amp;b=c"');
    });

    it(`${template.name} escapes what it is given`, () => {
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

  it('lead to web pages only', () => {
    expect(() => confirmationMail({ ...facts, link: 'javascript:alert(1)' })).to.throw(TypeError);
  });
});
