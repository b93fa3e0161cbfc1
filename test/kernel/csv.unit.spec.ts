import { expect } from 'chai';
import { csvLine, plainCell } from '#mastodon/csv.ts';
import { readCsv } from '#mastodon/read-csv.ts';

describe('A line of CSV', () => {
  it('is harmless in spreadsheets, and reads back unchanged', () => {
    const cells = ['=1+1', '-x', '+x', '@x', '\tx', "'=1", "''=1", "'s", 'plain', 'a,b', 'a"b', 'a\nb', ''];
    const line = csvLine(cells);
    const [read] = readCsv(line);
    expect(read?.cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).to.deep.equal([]);
    expect(read?.cells.map(plainCell)).to.deep.equal(cells);
    expect(csvLine(['alice@far.example'])).to.equal('alice@far.example\r\n');
  });
});
