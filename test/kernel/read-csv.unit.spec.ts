import { expect } from 'chai';
import { isRookeryError } from '#kernel/errors.ts';
import { csvLine } from '#mastodon/csv.ts';
import { readCsv } from '#mastodon/read-csv.ts';

const cells = (text: string): string[][] => [...readCsv(text)].map((record) => record.cells);
const lines = (text: string): number[] => [...readCsv(text)].map(({ line }) => line);

describe('Reading CSV', () => {
  it('accepts all line ends, and a last line with or without one', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(cells(['a,b', 'c,d'].join(end)), JSON.stringify(end)).to.deep.equal([
        ['a', 'b'],
        ['c', 'd'],
      ]);
      expect(cells(`a,b${end}c,d${end}`), JSON.stringify(end)).to.deep.equal(cells('a,b\nc,d'));
    }
  });

  it('skips a byte order mark and empty lines', () => {
    expect(cells('\uFEFFa\n\n  \r\nb\n\n')).to.deep.equal([['a'], ['b']]);
    expect(cells('\uFEFF"a"')).to.deep.equal([['a']]);
    expect(cells('')).to.deep.equal([]);
    expect(cells('\uFEFF')).to.deep.equal([]);
  });

  it('keeps empty cells and spaces', () => {
    expect(cells(',\n a ,,""\n')).to.deep.equal([
      ['', ''],
      [' a ', '', ''],
    ]);
    expect(cells('a,')).to.deep.equal([['a', '']]);
  });

  it('reads quotes with commas, line ends and quotes in them', () => {
    expect(cells('"a,b","c\r\nd","say ""hi""",""""\n"",x"y')).to.deep.equal([
      ['a,b', 'c\r\nd', 'say "hi"', '"'],
      ['', 'x"y'],
    ]);
  });

  it('returns the line on which a record begins', () => {
    expect(lines('a\n\n"b\nb\r\nb",c\r\nd\re')).to.deep.equal([1, 3, 6, 7]);
  });

  it('returns what the writer was given', () => {
    const table = [
      ['plain', 'a,b', 'say "hi"', 'two\r\nlines', ''],
      ['', '"', '\n', ',', 'end'],
    ];
    expect(cells(table.map(csvLine).join(''))).to.deep.equal(table);
  });

  it('refuses an unterminated quote and text after a quote, with the line', () => {
    for (const [text, line] of [
      ['a\n"b', 2],
      ['a\nb,"c""', 2],
      ['"a"b', 1],
      ['a\n\n"b" ,c', 3],
    ] as const) {
      const read = (): unknown => [...readCsv(text)];
      expect(read, text).to.throw(`Line ${line}: `).that.satisfies(isRookeryError);
    }
  });

  it('accepts rows of up to 64 KiB and tables with many empty lines', () => {
    expect(cells(`"${'""'.repeat(30_000)}"`)[0]?.[0]).to.have.length(30_000);
    expect(cells(','.repeat(60_000))[0]).to.have.length(60_001);
    expect(cells('\n'.repeat(1_000_000))).to.deep.equal([]);
  });

  it('refuses longer rows, with the line', () => {
    for (const row of [
      `"${'""'.repeat(40_000)}"`,
      ','.repeat(70_000),
      'a'.repeat(70_000),
      `"${'\n'.repeat(70_000)}"`,
    ]) {
      const read = (): unknown => [...readCsv(`a\n${row}\n`)];
      expect(read, row.slice(0, 5)).to.throw('Line 2: the row is too long').that.satisfies(isRookeryError);
    }
  });
});
