import { expect } from 'chai';
import { cosignatureIn, cosigner, parseCosignatureKey } from '#operations/transparency-log/cosignature.ts';
import { noteSigner, noteVerifier, parseNotes } from '#operations/transparency-log/note.ts';
import { parsePolicy } from '#operations/transparency-log/policy.ts';
import { refusal, refusalCode } from '../support/refusal.ts';

/** The example of https://c2sp.org/tlog-cosignature; its keys are not published. */
const EXAMPLE = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;
/** From the tests of https://github.com/transparency-dev/formats, `note/note_cosigv1_test.go`: a key of a real witness. */
const REAL_KEY = 'remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2';

const TEXT = 'log.example\n12\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const NOW = 1_800_000_000;
const log = noteSigner(Buffer.alloc(32, 1));
const logKey = noteVerifier('log.example', log.publicKey).key;
const [x, y, z] = [2, 3, 4].map((byte) => cosigner(Buffer.alloc(32, byte), `witness.example/w${byte}`)) as [
  ReturnType<typeof cosigner>,
  ReturnType<typeof cosigner>,
  ReturnType<typeof cosigner>,
];
const verifier = parseCosignatureKey(x.key);
const found = (reply: string) => cosignatureIn(reply, { text: TEXT, verifier, now: NOW });

describe('Cosignatures', () => {
  it('have the form of the example of the specification', () => {
    const [note] = parseNotes(EXAMPLE);
    const { name, signature } = note!.signatures[1]!;
    expect(name).to.equal('witness.example.com/w1');
    expect(signature.length).to.equal(72);
    expect(signature.readBigUInt64BE(0)).to.equal(1_679_315_147n);
  });

  it('have keys with the ids that other implementations compute', () => {
    expect(parseCosignatureKey(REAL_KEY).key).to.equal(REAL_KEY);
    const wrong = [REAL_KEY.replace('da77ade7', 'da77ade8'), REAL_KEY.replace('+BO', '+AO'), logKey, ''];
    for (const key of wrong)
      expect(
        refusalCode(() => parseCosignatureKey(key)),
        key,
      ).to.equal('invalid');
  });

  it('verify with their key, and tell their time', () => {
    const line = x.cosign(TEXT, NOW);
    expect(found(line)).to.deep.equal({ witness: x.key, time: NOW, line });
    expect(found(`${y.cosign(TEXT, NOW)}${line}`)).to.deep.include({ line });
    expect(found(`${x.cosign(TEXT, NOW - 60)}${line}`)).to.deep.include({ line });
  });

  it('do not verify for another checkpoint, by another key, or with another time', () => {
    const other = TEXT.replace('12', '13');
    const bare = noteSigner(Buffer.alloc(32, 2)).sign(TEXT, 'witness.example/w2').split('\n\n')[1]!;
    const line = x.cosign(TEXT, NOW);
    const bytes = Buffer.from(line.split(' ')[2]!, 'base64');
    bytes[11] = bytes[11]! ^ 1;
    const wrong: [reply: string, message: RegExp][] = [
      [x.cosign(other, NOW), /does not verify/],
      [`— witness.example/w2 ${bytes.toString('base64')}\n`, /does not verify/],
      [x.cosign(TEXT, 0), /does not verify/],
      [x.cosign(TEXT, NOW + 301), /301 seconds ahead/],
      [y.cosign(TEXT, NOW), /no cosignature by the key witness.example\/w2\+/],
      [bare, /no cosignature by the key/],
      ['', /no signature/],
      ['— witness.example AAAA\n', /no signature/],
      ['<html></html>', /no signature/],
      [line.repeat(17), /no signature/],
    ];
    for (const [reply, message] of wrong) expect(refusal(() => found(reply))?.[1], reply).to.match(message);
  });
});

const groups = `# Two of three, and one more.
log ${logKey} https://log.example/
witness a ${x.key}
witness b ${y.key} https://b.example/add-checkpoint
\twitness  c\t${z.key}

group two 2 a b
group all-of-them any two c
`;

describe('Policies', () => {
  const note = (...lines: string[]) => parseNotes(`${log.sign(TEXT, 'log.example')}${lines.join('')}`)[0]!;
  const [a, b, c] = [x.cosign(TEXT, NOW), y.cosign(TEXT, NOW), z.cosign(TEXT, NOW)];

  it('are satisfied by a quorum of valid cosignatures', () => {
    const policy = parsePolicy(`${groups}quorum all-of-them\n`);
    expect(policy.logs).to.deep.equal([logKey]);
    const judged = (...lines: string[]) => policy.satisfiedBy(note(...lines)).isSatisfied;
    expect([judged(a, b), judged(c), judged(a, b, c)]).to.deep.equal([true, true, true]);
    expect([judged(), judged(a), judged(b), judged(a, a)]).to.deep.equal([false, false, false, false]);
    expect(judged(x.cosign(TEXT.replace('12', '13'), NOW), b)).to.equal(false);
    expect(policy.satisfiedBy(note(a)).problem).to.equal(
      'The quorum all-of-them of the policy is not reached: only a cosigned the checkpoint',
    );
  });

  it('demand the signature of a log', () => {
    const policy = parsePolicy(`log ${logKey}\nquorum none`);
    expect(policy.satisfiedBy(note()).isSatisfied).to.equal(true);
    const forged = parseNotes(noteSigner(Buffer.alloc(32, 9)).sign(TEXT, 'log.example'))[0]!;
    expect(policy.satisfiedBy(forged).problem).to.equal('No log of the policy signed the checkpoint');
    const open = parsePolicy('quorum none');
    expect(open.satisfiedBy(note()).isSatisfied).to.equal(false);
    expect(open.satisfiedBy(note(), logKey).isSatisfied).to.equal(true);
  });

  it('are refused with the line that is wrong', () => {
    const many = Array.from({ length: 65 }, (_, n) => {
      const seed = Buffer.alloc(32, 7);
      seed.writeUInt16BE(n);
      return `witness w${n} ${cosigner(seed, `w${n}`).key}`;
    });
    const wrong: [text: string, message: RegExp][] = [
      [groups, /no line `quorum NAME`/],
      [`${groups}quorum nobody`, /Line 9 of the policy: no earlier line defines nobody/],
      ['quorum none\nquorum none', /Line 2 .* an earlier line has the quorum/],
      [`${groups}group again all a`, /a is a member already/],
      [`${groups}group two all c`, /an earlier line defines two/],
      [`${groups}witness d ${x.key}`, /an earlier witness has this key/],
      [`${groups}log ${logKey}`, /an earlier log has this key/],
      [`${groups}group g 2 c`, /from 1 to 1/],
      [`${groups}group g 0 c`, /from 1 to 1/],
      [`${groups}group g all none`, /no earlier line defines none/],
      [`${groups}group g all`, /it must be `group NAME/],
      [`witness none ${x.key}`, /the name none/],
      [`witness a ${logKey}`, /key of a witness/],
      [`log ${x.key}`, /key of a log/],
      ['policy', /must begin with log, witness, group, quorum or #/],
      ['quorum none\r', /a control character/],
      [many.join('\n'), /at most 64 witnesses/],
      [`#${'x'.repeat(100_000)}`, /at most 100000 characters/],
    ];
    for (const [text, message] of wrong)
      expect(refusal(() => parsePolicy(text))?.[1], text).to.match(message);
  });
});
