import { expect } from 'chai';
import { isRookeryError } from '../../src/kernel/errors.ts';
import { limiter } from '../../src/limiter.ts';
import { dummyVerify, hashPassword, needsRehash, verifyPassword } from '../../src/passwords.ts';

describe('passwords', () => {
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

  it('are the same however a keyboard composes accents', async () => {
    expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).to.equal(true);
  });

  it('verify against hashes of older parameters, which are to be made anew', async () => {
    // RFC 7914 section 12: scrypt("pleaseletmein", "SodiumChloride", N=16384, r=8, p=1), the first 32 bytes.
    const expected = Buffer.from('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2', 'hex');
    const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
    const old = `$scrypt$ln=14,r=8,p=1$${bare(Buffer.from('SodiumChloride'))}$${bare(expected)}`;
    expect(await verifyPassword('pleaseletmein', old)).to.equal(true);
    expect(needsRehash(old)).to.equal(true);
    expect(needsRehash(await hashPassword('x'))).to.equal(false);
  });

  it('never verify against something else, however large its parameters', async () => {
    for (const stored of [
      '',
      'x',
      '$2b$10$abc',
      '$scrypt$ln=60,r=99,p=99$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA',
    ]) {
      expect(await verifyPassword('x', stored)).to.equal(false);
    }
  });

  it('are refused for users that do not exist', async () => {
    expect(await dummyVerify('x')).to.equal(false);
  });
});

describe('a limiter', () => {
  it('runs a few at a time, in order, and refuses when too many wait', async () => {
    const limit = limiter({ running: 2, waiting: 2 });
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const task = (n: number) =>
      limit(() => {
        started.push(n);
        return new Promise<void>((resolve) => finish.push(resolve));
      });
    const first = [task(1), task(2), task(3), task(4)];
    const refused = await task(5).catch((error: unknown) => error);
    expect(isRookeryError(refused) && refused.code).to.equal('unavailable');
    expect(started).to.deep.equal([1, 2]);
    finish[0]!();
    await first[0];
    await new Promise(setImmediate);
    expect(started).to.deep.equal([1, 2, 3]);
    finish[1]!();
    await first[1];
    await new Promise(setImmediate);
    finish.slice(2).forEach((end) => end());
    await Promise.all(first);
    expect(started).to.deep.equal([1, 2, 3, 4]);
  });

  it('gives the place of a failed task to the next', async () => {
    const limit = limiter({ running: 1, waiting: 5 });
    const failed = limit(() => Promise.reject(new Error('no'))).catch((error: Error) => error.message);
    expect(await Promise.all([failed, limit(() => Promise.resolve('next'))])).to.deep.equal(['no', 'next']);
  });
});
