import { expect } from 'chai';
import { dummyVerify, hashPassword, needsRehash, verifyPassword } from '#adapters/passwords.ts';

describe('Passwords', () => {
  it('verify against their own hash only', async () => {
    const hash = await hashPassword('correct horse');
    expect(hash).to.match(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await verifyPassword('correct horse', hash)).to.equal(true);
    expect(await verifyPassword('Correct horse', hash)).to.equal(false);
    expect(await verifyPassword('', hash)).to.equal(false);
  });

  it('have a new salt each time', async () => {
    expect(await hashPassword('same')).not.to.equal(await hashPassword('same'));
  });

  it('are equal however a keyboard composes accents', async () => {
    expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).to.equal(true);
  });

  it('verify against hashes with older parameters, and report that these need replacing', async () => {
    // RFC 7914 section 12: scrypt("pleaseletmein", "SodiumChloride", N=16384, r=8, p=1), the first 32 bytes.
    const expected = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex');
    const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const old = `$scrypt$ln=14,r=8,p=1$${bare(Buffer.from('SodiumChloride'))}$${bare(expected)}`;
    expect(await verifyPassword('pleaseletmein', old)).to.equal(true);
    expect(needsRehash(old)).to.equal(true);
    expect(needsRehash(await hashPassword('x'))).to.equal(false);
  });

  it('never verify against other text, however large its parameters', async () => {
    for (const stored of [
      '',
      'x',
      '$2b$10$abc',
      '$scrypt$ln=60,r=99,p=99$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA',
    ]) {
      expect(await verifyPassword('x', stored)).to.equal(false);
    }
  });

  it('are refused for unknown users', async () => {
    expect(await dummyVerify('x')).to.equal(false);
  });
});
