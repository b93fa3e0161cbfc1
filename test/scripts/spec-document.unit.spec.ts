import { expect } from 'chai';
import { type FiledGroup, specDocument } from '../../scripts/lib/spec-document.ts';

const filed = (folder: string, title: string, ...tests: string[]): FiledGroup => ({
  folder,
  group: { title, tests: tests.map((test) => ({ title: test })), suites: [] },
});

describe('The document of all specs', () => {
  it('has a chapter for each feature, then those about the inside', () => {
    const groups = [
      filed('kernel', 'A page', 'returns no cursor when the last page is full'),
      filed('polls', 'A poll', 'refuses a second vote'),
      filed('admin-reports', 'A report', 'is closed by staff'),
      filed('polls', 'The end of a poll', 'notifies its voters'),
    ];
    expect(specDocument(groups)).to.equal(`# What Rookery does

- [Administration: reports](#administration-reports)
- [Polls](#polls)

## Administration: reports

### A report

- is closed by staff

## Polls

### A poll

- refuses a second vote

### The end of a poll

- notifies its voters

# How it works inside

- [Kernel](#kernel)

## Kernel

### A page

- returns no cursor when the last page is full
`);
  });

  it('nests groups as headings, and shows HTML and asterisks in titles as text', () => {
    const inner = { title: 'with <b>', tests: [{ title: 'keeps *this* and snake_case' }], suites: [] };
    const group = { title: 'Texts', tests: [], suites: [inner] };
    expect(specDocument([{ folder: 'text', group }])).to.contain(
      '### Texts\n\n#### with \\<b>\n\n- keeps \\*this\\* and snake\\_case\n',
    );
  });
});
