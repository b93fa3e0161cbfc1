import { expect } from 'chai';
import { parseImport } from '#commands/imports/index.ts';
import type { Instance } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import type { ImportType } from '#mastodon/portability.ts';

// Only the domain is read.
const HERE = { domain: 'rookery.example' } as Instance;
const read = (type: ImportType, text: string | Uint8Array) =>
  parseImport(type, typeof text === 'string' ? Buffer.from(text) : text, HERE);
const keys = async (type: ImportType, text: string): Promise<string[]> =>
  (await read(type, text)).rows.map(({ key }) => key);

/** Asserts that the file is refused with this message. */
async function expectRefused(type: ImportType, text: string | Uint8Array, message: RegExp): Promise<void> {
  const outcome = await read(type, text).catch((error: unknown) => error);
  expect(outcome, String(message)).instanceOf(RookeryError);
  expect((outcome as RookeryError).message).match(message);
}

/** Returns how often the event loop turns until the work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const turn = (): void => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  return turns;
}

describe('Import files', () => {
  it("are read in Mastodon's format", async () => {
    const text =
      'Account address,Show boosts,Notify on new posts,Languages\r\n' +
      'ada@far.example,true,false,\r\n' +
      'Bob@Far.example,false,true,"de, en"\r\n';
    expect(await read('following', text)).to.deep.equal({
      columns: ['account', 'reblogs', 'notify', 'languages'],
      rows: [
        {
          line: 2,
          value: 'ada@far.example',
          key: 'ada@far.example',
          list: null,
          settings: { reblogs: true, notify: false, languages: null },
        },
        {
          line: 3,
          value: 'Bob@Far.example',
          key: 'bob@far.example',
          list: null,
          settings: { reblogs: false, notify: true, languages: ['de', 'en'] },
        },
      ],
      failed: [],
    });
    const mutes = (await read('mutes', 'Account address,Hide notifications\na@b.example,false\n')).rows;
    expect(mutes.map(({ settings }) => settings)).to.deep.equal([{ notifications: false }]);
    const lists = (await read('lists', '"Old, new",a@b.example\n\'=Sums,a@b.example\n')).rows;
    expect(lists.map(({ list }) => list)).to.deep.equal(['Old, new', '=Sums']);
    expect(await keys('domain-blocks', 'Bad.Example\nfar.example\n')).to.deep.equal([
      'bad.example',
      'far.example',
    ]);
    expect(await keys('bookmarks', 'https://far.example/1\n')).to.deep.equal(['https://far.example/1']);
  });

  it('may have semicolons, as spreadsheets of some countries write them', async () => {
    const text =
      'Account address;Show boosts;Notify on new posts;Languages\r\na@b.example;false;true;de, en\r\n';
    const [row] = (await read('following', text)).rows;
    expect(row).to.deep.include({
      key: 'a@b.example',
      settings: { reblogs: false, notify: true, languages: ['de', 'en'] },
    });
    const [member] = (await read('lists', 'Old;a@b.example\n')).rows;
    expect(member).to.deep.include({ list: 'Old', key: 'a@b.example' });
    expect(await keys('domain-blocks', '#domain;#severity\nbad.example;suspend\n')).to.deep.equal([
      'bad.example',
    ]);
    expect((await read('lists', '"A;b",a@b.example\n')).rows[0]?.list).to.equal('A;b');
    expect(await keys('bookmarks', 'https://far.example/1;a\n')).to.deep.equal(['https://far.example/1;a']);
  });

  it('name the first row when none can be read', async () => {
    await expectRefused('blocks', 'a@b.example\tx\n\n', /^No row can be read\. .*line 1, "a@b\.example\tx"/);
  });

  it('may have another order of columns, a byte order mark, or no header', async () => {
    const [row] = (
      await read('following', '\uFEFFLanguages,Show boosts,x,Account address\nen,false,1,a@b.example')
    ).rows;
    expect(row).to.deep.include({ key: 'a@b.example', settings: { reblogs: false, languages: ['en'] } });
    expect((await read('following', 'a@b.example,false,true,en\n')).rows[0]?.settings).to.deep.equal({});
    expect((await read('lists', 'Account address,List name\na@b.example,Friends\n')).rows[0]?.list).to.equal(
      'Friends',
    );
    expect(await keys('domain-blocks', '#domain,#severity\nbad.example,suspend\n')).to.deep.equal([
      'bad.example',
    ]);
  });

  it('name accounts in any spelling, local ones without a domain, and the last row of each counts', async () => {
    const text =
      '@ada@far.example\nacct:ada@FAR.example\n @bob \nbob@rookery.example\nada@b\u00fccher.example\n';
    expect(await keys('blocks', text)).to.deep.equal(['ada@far.example', 'bob', 'ada@xn--bcher-kva.example']);
    const twice = 'Account address,Hide notifications\na@b.example,true\na@b.example,false\n';
    expect((await read('mutes', twice)).rows.map(({ settings }) => settings)).to.deep.equal([
      { notifications: false },
    ]);
    expect((await read('lists', 'One,a@b.example\nTwo,a@b.example\nOne,a@b.example\n')).rows).to.have.length(
      2,
    );
  });

  it('may have unreadable rows', async () => {
    const text = `a@b.example\n${'x'.repeat(3_000)}@b.example\nnot an address\n${'a,'.repeat(30)}\n`;
    const { rows, failed } = await read('blocks', text);
    expect(rows).to.have.length(1);
    expect(failed.map(({ line, reason, value }) => ({ line, reason, length: value.length }))).to.deep.equal([
      { line: 2, reason: 'The row is too long', length: 100 },
      { line: 3, reason: 'This is not an address', length: 14 },
      { line: 4, reason: 'The row is too long', length: 1 },
    ]);
    expect(
      (await read('lists', `,a@b.example\n${'x'.repeat(257)},a@b.example\nx,a@b.example`)).failed,
    ).to.have.length(2);
    expect((await read('domain-blocks', 'a.example\nno domain\n')).failed).to.have.length(1);
    const tooLong = `https://a.example/${'\u4e16'.repeat(700)}`;
    expect(
      (await read('bookmarks', `https://a.example/1\njavascript:1\n${tooLong}\n`)).failed,
    ).to.have.length(2);
  });

  it('are refused when they are invalid', async () => {
    const refused: [ImportType, string | Uint8Array, RegExp][] = [
      ['following', '', /empty/],
      ['following', 'Account address,Show boosts\n', /empty/],
      ['following', Buffer.from([0x61, 0xff, 0xfe, 0x0a]), /UTF-8/],
      ['following', Buffer.from('a@b.example\n', 'utf16le'), /UTF-8/],
      ['lists', 'Account address\na@b.example\n', /no column "List name"/],
      ['following', '"a@b.example\n', /quote/],
      ['following', 'a@b.example\n'.repeat(20_001), /20000 rows/],
      ['following', `a@b.example\n"${'\n'.repeat(70_000)}"\n`, /Line 2: the row is too long/],
      ['following', `"${'""'.repeat(2_000_000)}`, /Line 1: the row is too long/],
      ['following', ','.repeat(5_000_000), /Line 1: the row is too long/],
      ['following', Buffer.alloc(5 * 1024 * 1024 + 1, 'a'), /5 MB/],
    ];
    for (const [type, text, message] of refused) {
      await expectRefused(type, text, message);
    }
    const most = Array.from({ length: 20_000 }, (_, index) => `a${index}@b.example`).join('\n');
    expect((await read('following', `Account address\n${most}`)).rows).to.have.length(20_000);
  });

  it('let other work run while they are read', async () => {
    const row = `a@b.example,true,true,"${'de,en,'.repeat(30)}"\n`;
    const text = Array.from({ length: 20_000 }, (_, n) => `${n}${row}`).join('');
    const turns = await turnsDuring(async () => expect((await read('following', text)).rows).length(20_000));
    expect(turns).greaterThan(2);
  });

  it('let other work run after each 64 KiB that is decoded, also of a file whose last byte is no text', async () => {
    const pieces = 80;
    const file = Buffer.alloc(pieces * 65_536, 'a');
    file[file.length - 1] = 0xff;
    const turns = await turnsDuring(() => expectRefused('blocks', file, /not UTF-8/));
    expect(turns).to.be.at.least(pieces - 1);
  });

  it('keep characters that lie across two pieces', async () => {
    for (const character of ['\u00e9', '\u4e16', '\u{1f600}']) {
      const names = Array.from({ length: 15_000 }, (_, n) => `${n}${character.repeat(1 + (n % 7))}`);
      const { rows } = await read('blocks', names.join('\n'));
      expect(rows.map(({ value }) => value)).to.deep.equal(names);
    }
  });
});
