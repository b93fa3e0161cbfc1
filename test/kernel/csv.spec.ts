import { expect } from 'chai';
import { csvLine, parseCsv, plainCell } from '../../src/kernel/csv.ts';
import { RookeryError } from '../../src/kernel/errors.ts';

describe('CSV', () => {
  const parse = (text: string): string[][] => parseCsv(text, 100);

  it('is read whatever ends its lines, with quotes, a byte order mark and empty lines', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `\uFEFFa,b${end}${end}"c ""d"", e","f${end}g"${end},${end}h`;
      expect(parse(text)).to.deep.equal([['a', 'b'], ['c "d", e', `f${end}g`], ['', ''], ['h']]);
    }
    expect(parse('')).to.deep.equal([]);
    expect(parse('a,')).to.deep.equal([['a', '']]);
    expect(parse('""\n"a"\n')).to.deep.equal([['a']]);
    expect(parse('"a""",b')).to.deep.equal([['a"', 'b']]);
  });

  it('that is broken is refused with where that is', () => {
    for (const text of ['a\n"b', 'a\n"b"c', 'a\n"b""', 'a\nb,"c" \n']) {
      expect(() => parse(text), text).to.throw(RookeryError, /record 2/);
    }
  });

  it('is read as far as one record beyond what there may be', () => {
    expect(parseCsv('a\nb\nc\nd\n', 2)).to.have.length(3);
  });

  it('is harmless in spreadsheets, and what it was when it is read', () => {
    const cells = ['=1+1', '-x', '+x', '@x', '\tx', "'=1", "''=1", "'s", 'plain', 'a,b', 'a"b', 'a\nb', ''];
    const line = csvLine(cells);
    const [read = []] = parse(line);
    expect(read.filter((cell) => /^[=+\-@\t\r]/.test(cell))).to.deep.equal([]);
    expect(read.map(plainCell)).to.deep.equal(cells);
    expect(csvLine(['alice@far.example'])).to.equal('alice@far.example\r\n');
  });
});
