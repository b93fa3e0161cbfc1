import { expect } from 'chai';
import { consolePages } from '#interfaces/web/admin/index.ts';
import { clientPages } from '#interfaces/web/client/index.ts';
import type { WebPage } from '#interfaces/web/page/page.ts';
import { accountPages } from '#interfaces/web/settings/index.ts';

/** As `src/app/routes.ts` serves them: the first page of an address gets the request. */
const pages = [...accountPages, ...consolePages, ...clientPages];

describe('The pages', () => {
  it('have each address once', () => {
    const patterns = pages.map(({ path }) => path.replaceAll(/:\w+/g, ':'));
    const twice = patterns.filter((path, index) => patterns.indexOf(path) !== index);
    expect(twice, 'Two pages have this address: only one of them is shown').to.deep.equal([]);
  });

  it('do not hide each other: no pattern precedes a narrower one that it matches', () => {
    const hidden = hiddenIn(pages);
    expect(
      hidden,
      'List the page with the narrower address first, in the index.ts of its feature',
    ).to.deep.equal([]);
  });
});

describe('The search for hidden pages', () => {
  const list = { path: '/lists/:id/:tab' };
  const edit = { path: '/lists/:id/edit' };

  it('finds a narrow address behind a wide one, unless the wide one passes it on', () => {
    expect(hiddenIn([list, edit])).to.deep.equal(['/lists/:id/:tab hides /lists/:id/edit']);
    expect(hiddenIn([edit, list])).to.deep.equal([]);
    expect(hiddenIn([{ ...list, owns: () => false }, edit])).to.deep.equal([]);
  });

  it('leaves out addresses without parameters, which come before all others', () => {
    expect(hiddenIn([{ path: '/lists/:id' }, { path: '/lists/new' }])).to.deep.equal([]);
  });
});

type Address = Pick<WebPage, 'path' | 'owns'>;

const hiddenIn = (all: readonly Address[]): string[] =>
  all.flatMap((later, index) =>
    all
      .slice(0, index)
      .filter((earlier) => later.path.includes(':') && earlier.path.includes(':'))
      .filter((earlier) => hides(earlier, later))
      .map((earlier) => `${earlier.path} hides ${later.path}`),
  );

/** Tells whether the addresses of a page go to an earlier one, which does not pass them on by `owns`. */
const hides = ({ path, owns }: Address, later: Address): boolean =>
  owns === undefined && matcher(path).test(later.path.replaceAll(/:\w+/g, '1'));

const matcher = (path: string): RegExp => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
