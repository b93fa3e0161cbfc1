// Prints every route: method, path, who may call, the groups of read models it reads (and defers), file.
//
//   npm run routes                 all of them
//   npm run routes -- filters      those whose path, scopes or file contain this text
//
// The documents of federation and the pages for strangers are not among them: see src/interfaces/federation/router.ts
// and src/interfaces/web/public/router.ts.
import { table } from '#cli/table.ts';
import { allRoutes, type Route } from './lib/routes.ts';

const [wanted = ''] = process.argv.slice(2);

const cells = ({ method, path, auth, scopes, reads, defers, file }: Route): string[] => [
  method,
  path,
  [auth, ...scopes].join(' '),
  [reads?.join(' ') ?? '', ...defers.map((group) => `defers ${group}`)].join(' ').trim() || '-',
  file,
];

const rows = (await allRoutes()).map(cells).filter((row) => row.some((cell) => cell.includes(wanted)));
rows.sort(([, a = ''], [, b = '']) => (a < b ? -1 : Number(a > b)));
console.log(table([['METHOD', 'PATH', 'AUTH AND SCOPES', 'READS', 'FILE'], ...rows]));
console.log(`${rows.length} routes`);
