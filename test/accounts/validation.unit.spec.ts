import { expect } from 'chai';
import {
  canonicalEmail,
  canonicalEmailHash,
  normalizeEmail,
  validateEmail,
  validatePassword,
  validateUsername,
} from '#commands/accounts/validation.ts';

const codes = (details: { error: string }[]) => details.map(({ error }) => error);

describe('The check of a username', () => {
  const examples: [string, string[]][] = [
    ['alice', []],
    ['Alice_99', []],
    ['_', []],
    ['x'.repeat(30), []],
    ['x'.repeat(31), ['ERR_TOO_LONG']],
    ['', ['ERR_BLANK']],
    ['  ', ['ERR_BLANK']],
    ['al ice', ['ERR_INVALID']],
    ['al.ice', ['ERR_INVALID']],
    ['ålice', ['ERR_INVALID']],
    ['\u212Aate', ['ERR_INVALID']],
    ['alice\n', ['ERR_INVALID']],
    ['-'.repeat(31), ['ERR_INVALID', 'ERR_TOO_LONG']],
    ['Admin', ['ERR_RESERVED']],
    ['webmaster', ['ERR_RESERVED']],
    ['MODERATOR', ['ERR_RESERVED']],
  ];
  for (const [name, expected] of examples) {
    it(`reports ${expected.join(', ') || 'no error'} for ${JSON.stringify(name)}`, () => {
      expect(codes(validateUsername(name))).to.deep.equal(expected);
    });
  }
});

describe('The check of an e-mail address', () => {
  it('normalizes to lower case with an ASCII domain', () => {
    expect(normalizeEmail(' Alice.B+News@Example.ORG ')).to.equal('alice.b+news@example.org');
    expect(normalizeEmail('a@例え.みんな')).to.equal('a@xn--r8jz45g.xn--q9jyb4c');
    expect(normalizeEmail("o'neil_x-y@mail.example.co.uk")).to.equal("o'neil_x-y@mail.example.co.uk");
    expect(validateEmail('alice@example.org')).to.deep.equal([]);
  });

  const refused = [
    'alice',
    '@example.org',
    'alice@',
    'a@b@example.org',
    'a@localhost',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@1',
  ];
  refused.push(
    '"a b"@example.org',
    'a(comment)@example.org',
    'a%b@example.org',
    'a!b@example.org',
    'a,b@example.org',
  );
  refused.push(
    'a@example.org,b@example.org',
    '<a@example.org>',
    'A <a@example.org>',
    '=?utf-8?q?a?=@example.org',
  );
  refused.push(
    'a\r\nBcc: b@example.org',
    'a\u0000@example.org',
    'a..b@example.org',
    '.a@example.org',
    'a.@example.org',
  );
  refused.push(
    'a@-x.org',
    'a@x-.org',
    'a@x..org',
    'a@x.org.',
    'a@ex%41mple.org',
    'a@exam\u00ADple.org',
    'a@x_y.org',
    'é@x.org',
  );
  refused.push(
    `${'a'.repeat(65)}@example.org`,
    'a b@example.org',
    'a@exa mple.org',
    'a;b@example.org',
    'a@x.org/',
  );
  for (const address of refused) {
    it(`refuses ${JSON.stringify(address.slice(0, 40))}`, () => {
      expect(codes(validateEmail(address))).to.deep.equal(['ERR_INVALID']);
      expect(normalizeEmail(address)).to.equal(undefined);
    });
  }

  it('refuses blank and too long addresses', () => {
    expect(codes(validateEmail(''))).to.deep.equal(['ERR_BLANK', 'ERR_INVALID']);
    expect(codes(validateEmail(`a@${'x.'.repeat(200)}org`))).to.deep.equal(['ERR_TOO_LONG']);
    expect(codes(validateEmail('@'.repeat(100_000)))).to.deep.equal(['ERR_TOO_LONG']);
  });

  it('accepts a domain without a dot when the operator allows it', () => {
    const dotless = { dotless: true };
    expect(normalizeEmail('admin@localhost')).to.equal(undefined);
    expect(normalizeEmail('Admin@LocalHost', dotless)).to.equal('admin@localhost');
    expect(codes(validateEmail('admin@localhost', dotless))).to.deep.equal([]);
    for (const address of ['admin@', 'admin@-', 'admin@7', 'admin@.', 'admin'])
      expect(normalizeEmail(address, dotless), address).to.equal(undefined);
  });

  it('compares addresses without dots, suffix and case', () => {
    for (const alias of ['f.oo@Bar.com', 'FOO+spam@bar.com', 'foo+a+b@bar.com']) {
      expect(canonicalEmail(alias)).to.equal('foo@bar.com');
      expect(canonicalEmailHash(alias)).to.equal(canonicalEmailHash('foo@bar.com'));
    }
    expect(canonicalEmail('foo@other.com')).not.to.equal('foo@bar.com');
    expect(canonicalEmail('+x@bar.com')).to.equal('+x@bar.com');
    expect(canonicalEmailHash('foo@bar.com')).to.match(/^[0-9a-f]{64}$/);
  });
});

describe('The check of a password', () => {
  it('requires 8 to 1000 characters', () => {
    expect(codes(validatePassword(''))).to.deep.equal(['ERR_BLANK']);
    expect(codes(validatePassword('1234567'))).to.deep.equal(['ERR_TOO_SHORT']);
    expect(codes(validatePassword('12345678'))).to.deep.equal([]);
    expect(codes(validatePassword('😀'.repeat(7)))).to.deep.equal(['ERR_TOO_SHORT']);
    expect(codes(validatePassword('x'.repeat(1000)))).to.deep.equal([]);
    expect(codes(validatePassword('x'.repeat(1001)))).to.deep.equal(['ERR_TOO_LONG']);
    expect(codes(validatePassword('😀'.repeat(1_000_000)))).to.deep.equal(['ERR_TOO_LONG']);
  });
});
