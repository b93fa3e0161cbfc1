import { expect } from 'chai';
import {
  checkpointText,
  parseCheckpoint,
  parseCheckpoints,
} from '#operations/transparency-log/checkpoint.ts';
import { noteSigner, noteVerifier, parseNotes, parseVerifierKey } from '#operations/transparency-log/note.ts';
import { refusalCode } from '../support/refusal.ts';
import { openCheckpoint } from './auditor.ts';

/** The example of https://pkg.go.dev/golang.org/x/mod/sumdb/note */
const SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n";
const NOTE = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;

const signer = noteSigner(Buffer.alloc(32, 7));
const other = noteSigner(Buffer.alloc(32, 8));
const checkpoint = { origin: 'log.example', size: 1_234, root: Buffer.alloc(32, 5) };
const signed = signer.sign(checkpointText(checkpoint), 'log.example');

describe('Signed notes', () => {
  it('are byte for byte those of other implementations', () => {
    const peter = noteSigner(SEED);
    expect(noteVerifier('PeterNeumann', peter.publicKey).key).to.equal(KEY);
    expect(peter.sign(TEXT, 'PeterNeumann')).to.equal(NOTE);
    expect(parseVerifierKey(` ${KEY}\n`).verifies(parseNotes(NOTE)[0]!)).to.equal(true);
  });

  it('verify only with their own key and name', () => {
    const [note] = parseNotes(signed);
    const good = noteVerifier('log.example', signer.publicKey);
    expect(good.verifies(note!)).to.equal(true);
    expect(noteVerifier('log.example', other.publicKey).verifies(note!)).to.equal(false);
    expect(noteVerifier('other.example', signer.publicKey).verifies(note!)).to.equal(false);
    expect(good.verifies({ ...note!, text: note!.text.replace('1234', '1235') })).to.equal(false);
  });

  it('may have further signatures', () => {
    const witness = other.sign(checkpointText(checkpoint), 'witness.example').split('\n\n')[1]!;
    const [note, ...rest] = parseNotes(`${signed}${witness}`);
    expect(rest).to.deep.equal([]);
    expect(noteVerifier('log.example', signer.publicKey).verifies(note!)).to.equal(true);
    expect(noteVerifier('witness.example', other.publicKey).verifies(note!)).to.equal(true);
  });

  it('refuse malformed keys', () => {
    const wrong = ['', 'x', KEY.replace('c74f20a3', 'c74f20a4'), KEY.replace('+ARpc', '+AR'), `${KEY}+x`];
    for (const each of wrong)
      expect(
        refusalCode(() => parseVerifierKey(each)),
        each,
      ).to.equal('invalid');
  });
});

describe('Checkpoints', () => {
  it('are signed notes of origin, size and root', () => {
    expect(signed).to.match(/^log\.example\n1234\nBQUF[A-Za-z0-9+/]+=\n\n— log\.example [A-Za-z0-9+/=]+\n$/);
    expect(parseCheckpoint(signed)).to.deep.include(checkpoint);
    const key = noteVerifier('log.example', signer.publicKey).key;
    expect(openCheckpoint(signed, key)).to.deep.equal(checkpoint);
    expect(openCheckpoint(signed.replace('1234', '1235'), key)).to.equal(undefined);
  });

  it('can be read from a file that holds several', () => {
    for (const between of ['', '\n', '\n\n']) {
      expect(parseCheckpoints(`${signed}${between}${signed}`).map(({ size }) => size)).to.deep.equal([
        1_234, 1_234,
      ]);
    }
    expect(parseCheckpoints('')).to.deep.equal([]);
  });

  it('refuse everything else', () => {
    const wrong = [
      ...[signed.replace('1234', '01234'), signed.replace('1234', '-1'), signed.replace('1234', '1e3')],
      ...[
        signed.replace('BQUF', 'BQU'),
        signed.replace('BQUF', '!QUF'),
        signed.replace(/— .*/, ''),
        'x',
        NOTE,
      ],
      ...[signed.replace('\n\n', '\n'), signed.replace('— log', '- log'), `${signed}${signed}`, ''],
    ];
    for (const each of wrong)
      expect(
        refusalCode(() => parseCheckpoint(each)),
        each,
      ).to.equal('invalid');
  });
});
