import { expect } from 'chai';
import {
  LIST_HEADER,
  type ListedDomain,
  listLine,
  readDomainList,
} from '#commands/admin/domain-blocks/domain-list.ts';
import { planBlocks } from '#commands/admin/domain-blocks/domain-plan.ts';
import { DEFAULT_RULES } from '#commands/admin/domain-blocks/index.ts';
import type { DomainRules } from '#events/admin-domain-blocks.ts';

const OWN = 'social.rookery.example';
const WEB = 'web.example';
const HEADER = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate';
const listed = (text: string): ListedDomain[] => readDomainList(text, [OWN, WEB]).listed;
const invalid = (text: string): [number, string][] =>
  readDomainList(text, [OWN, WEB]).invalid.map(({ line, reason }) => [line, reason]);

describe('A list of domains', () => {
  it("is read in Mastodon's format", () => {
    expect(LIST_HEADER).to.equal(`${HEADER}\r\n`);
    const text = `\uFEFF${HEADER}\r\nBad.Example,silence,false,FALSE,"spam, mostly",false\r\nworse.example,suspend,true,True,,true\r\n`;
    expect(listed(text)).to.deep.equal([
      {
        line: 2,
        domain: 'bad.example',
        rules: {
          severity: 'silence',
          reject_media: false,
          reject_reports: false,
          public_comment: 'spam, mostly',
          obfuscate: false,
        },
      },
      {
        line: 3,
        domain: 'worse.example',
        rules: {
          severity: 'suspend',
          reject_media: true,
          reject_reports: true,
          public_comment: null,
          obfuscate: true,
        },
      },
    ]);
  });

  it('may have columns in another order, without #, and unknown ones', () => {
    expect(listed('severity,first_seen,domain\nnoop,2023,a.example\n,2024,b.example')).to.deep.equal([
      { line: 2, domain: 'a.example', rules: { severity: 'noop' } },
      { line: 3, domain: 'b.example', rules: { severity: 'suspend' } },
    ]);
  });

  it('may consist of domains alone, which are suspended, and comments', () => {
    expect(listed('# our list, and why\nbad.example\n\n# more\nbücher.example\n')).to.deep.equal([
      { line: 2, domain: 'bad.example', rules: { severity: 'suspend' } },
      { line: 5, domain: 'xn--bcher-kva.example', rules: { severity: 'suspend' } },
    ]);
  });

  it('reports each unusable line with a reason', () => {
    const text = [
      HEADER,
      'ba*.example,suspend',
      'no domain,suspend',
      'localhost,suspend',
      ',suspend',
      'a.example,limit',
      'b.example,suspend,maybe',
      'c.example,suspend,true,true,x,true,more',
      'd.example,suspend',
      'D.example.,silence',
      `${OWN},suspend`,
      'rookery.example,silence',
      `e.example,suspend,true,true,${'x'.repeat(5_001)},true`,
      'below.social.rookery.example,suspend',
      'web.example,silence',
    ].join('\n');
    expect(invalid(text)).to.deep.equal([
      [2, '"ba*.example" is no domain'],
      [3, '"no domain" is no domain'],
      [4, '"localhost" is no domain'],
      [5, '"" is no domain'],
      [6, 'the severity is none of noop, silence, suspend'],
      [7, 'reject_media is neither true nor false'],
      [8, 'has more columns than the first line of the file names'],
      [10, 'd.example is on line 9 already'],
      [11, `${OWN} is where this server is`],
      [12, 'rookery.example is where this server is'],
      [13, 'the comment is too long'],
      [15, 'web.example is where this server is'],
    ]);
    expect(listed(text).map(({ domain }) => domain)).to.deep.equal([
      'd.example',
      'below.social.rookery.example',
    ]);
  });

  it('has only one column when it has no header', () => {
    expect(invalid('bad.example,silence\nworse.example')).to.deep.equal([
      [1, 'has more columns than the first line of the file names'],
    ]);
  });

  it('reads back what this server wrote', () => {
    const rules: DomainRules = { ...DEFAULT_RULES, severity: 'noop', reject_media: true, obfuscate: true };
    for (const public_comment of ['-1, "quoted"', '=SUM(A1)', '@all\nof them', 'plain', null]) {
      const { private_comment: _, ...told } = { ...rules, public_comment };
      const text = LIST_HEADER + listLine('a.example', { ...rules, public_comment });
      expect(listed(text)).to.deep.equal([{ line: 2, domain: 'a.example', rules: told }]);
    }
  });
});

describe('The plan of an import of domain blocks', () => {
  const silenced: DomainRules = { ...DEFAULT_RULES, reject_media: true, public_comment: 'Spam' };
  const suspended: DomainRules = { ...DEFAULT_RULES, severity: 'suspend', private_comment: 'Seen again' };
  const there = new Map([
    ['silenced.example', silenced],
    ['suspended.example', suspended],
  ]);
  const plan = (text: string, merge: 'stricter' | 'replace' = 'stricter') =>
    planBlocks(listed(`domain,severity,reject_media,reject_reports,public_comment\n${text}`), there, merge);

  it('adds new domains', () => {
    const [step] = plan('new.example,silence,,true,Why');
    expect(step).to.deep.equal({
      line: 2,
      domain: 'new.example',
      kind: 'added',
      rules: { severity: 'silence', reject_media: false, reject_reports: true, public_comment: 'Why' },
    });
  });

  it('makes existing blocks stricter, never weaker, and keeps their comments', () => {
    expect(plan('silenced.example,suspend,false,true,Other')).to.deep.equal([
      {
        line: 2,
        domain: 'silenced.example',
        kind: 'changed',
        from: 'silence',
        rules: { severity: 'suspend', reject_reports: true },
      },
    ]);
    expect(plan('suspended.example,silence,false,false,Other\nsilenced.example,noop')).to.deep.equal([
      { line: 2, domain: 'suspended.example', kind: 'unchanged' },
      { line: 3, domain: 'silenced.example', kind: 'unchanged' },
    ]);
  });

  it('replaces exactly the columns of the list when asked to', () => {
    expect(plan('silenced.example,noop,false,false,', 'replace')).to.deep.equal([
      {
        line: 2,
        domain: 'silenced.example',
        kind: 'changed',
        from: 'silence',
        rules: { severity: 'noop', reject_media: false, public_comment: null },
      },
    ]);
    expect(planBlocks(listed('domain,severity\nsilenced.example,silence'), there, 'replace')).to.deep.equal([
      { line: 2, domain: 'silenced.example', kind: 'unchanged' },
    ]);
  });

  it('adds nothing below a domain that is blocked as strictly', () => {
    const text =
      'x.suspended.example,silence\nnew.example,silence,true\ny.new.example,silence\nz.new.example,suspend';
    expect(
      plan(text).map((step) => [step.domain, step.kind, step.kind === 'unchanged' && step.by]),
    ).to.deep.equal([
      ['x.suspended.example', 'unchanged', 'suspended.example'],
      ['new.example', 'added', false],
      ['y.new.example', 'unchanged', 'new.example'],
      ['z.new.example', 'added', false],
    ]);
  });
});
