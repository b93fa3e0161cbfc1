import ts from 'typescript';
import { catalogue } from '#events/index.ts';
import { projections } from '#projections/index.ts';
import { reactors } from '#reactors/index.ts';
import { filesIn, importModule, importsOf, textOf } from './imports.ts';
import { endpointRoutes, type Route } from './routes.ts';
import { statementsOf } from './statements.ts';
import { visit } from './visit.ts';

/** Where the parts of one feature are. Files are paths from the root. */
export interface Feature {
  files: string[];
  routes: Route[];
  /** The names of its use cases, which entry points other than its routes may call. */
  useCases: string[];
  /** The types of events that its commands write or that its file of the catalogue defines. */
  events: string[];
  /** Patterns of the streams that its commands write, such as `filter-{filterId}`. */
  streams: string[];
  readModels: { name: string; group: string; tables: string[]; because: string }[];
  reactors: string[];
  /** The names of its prepared statements. */
  statements: string[];
  tests: string[];
}

/** Returns the names of all features: the folders and files of `commands/` and `queries/`. */
export function featureNames(): string[] {
  const names = filesIn('commands', 'queries').map(featureOf);
  return [...new Set(names)].filter((name) => name !== 'index').sort();
}

/** Returns the feature of a file: `admin/reports` for `queries/admin/reports/list.ts`, `blocks` for `queries/blocks.ts`. */
export function featureOf(file: string): string {
  const [, ...rest] = file.replace(/\.ts$/, '').split('/');
  return rest.slice(0, rest[0] === 'admin' ? 2 : 1).join('/');
}

export async function describeFeature(name: string): Promise<Feature> {
  const files = filesIn('commands', 'queries').filter((file) => featureOf(file) === name);
  const events = eventsOf(name, files.flatMap(stringsOf));
  const statements = files.flatMap(statementsOf);
  const routes = (await endpointRoutes()).filter(({ file }) => files.includes(file));
  const takesOne = (types: Iterable<string>): boolean => [...types].some((type) => events.includes(type));
  return {
    files,
    routes,
    useCases: files.flatMap(useCasesOf).sort(),
    events,
    streams: await streamsOf(name, files),
    readModels: projections.flatMap(({ name: model, group, tables, handlers }) => {
      const names = Object.keys(tables);
      const isWritten = takesOne(handlers.map(({ type }) => type));
      const isRead = statements.some(({ sql }) => names.some((table) => reads(sql, table)));
      const because = [...(isWritten ? ['takes its events'] : []), ...(isRead ? ['read by it'] : [])].join(
        ', ',
      );
      return because === '' ? [] : [{ name: model, group, tables: names, because }];
    }),
    reactors: reactors.filter(({ types }) => takesOne(types)).map((reactor) => reactor.name),
    statements: statements.map((each) => each.name).sort(),
    tests: testsOf(name, files, routes),
  };
}

function eventsOf(name: string, strings: readonly string[]): string[] {
  const own = new Set(stringsOf(`src/events/${name.replace('/', '-')}.ts`));
  const types = catalogue.map(({ type }) => type);
  return types.filter((type) => own.has(type) || strings.includes(type)).sort();
}

/** Returns every string literal of a file; none where the file does not exist. */
function stringsOf(file: string): string[] {
  const found: string[] = [];
  visit(file, (node) => {
    if (ts.isStringLiteral(node)) found.push(node.text);
  });
  return found;
}

function useCasesOf(file: string): string[] {
  const found: string[] = [];
  visit(file, (node, source) => {
    if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isCallExpression(node.initializer))
      return;
    if (node.initializer.expression.getText(source) === 'useCase') found.push(node.name.getText(source));
  });
  return found;
}

/** Tells whether SQL reads a table by name; for `ownList` the name is an argument of its own. */
const reads = (sql: string, name: string): boolean =>
  new RegExp(`\\b(from|join)\\s+${name}\\b|^'${name}'`).test(sql);

/** Returns the patterns of the name makers in `src/events/` that the commands mention. */
async function streamsOf(name: string, files: readonly string[]): Promise<string[]> {
  const commands = files.filter((file) => file.startsWith('commands/')).map(textOf);
  const own = `src/events/${name.replace('/', '-')}.ts`;
  const found: string[] = [];
  for (const file of filesIn('src/events')) {
    const exports = await importModule(file);
    for (const [maker, make] of Object.entries(exports)) {
      if (!/Stream$|_STREAM$/.test(maker)) continue;
      const isUsed = commands.some((text) => new RegExp(`\\b${maker}\\b`).test(text));
      if (isUsed || file === own) found.push(patternOf(maker, make));
    }
  }
  return found.sort();
}

/** Returns the template of a name maker: `filter-{filterId}`. */
function patternOf(maker: string, make: unknown): string {
  if (typeof make !== 'function') return String(make);
  const [, template] = /`([^`]*)`/.exec(make.toString()) ?? [];
  return template?.replaceAll('${', '{') ?? maker;
}

/** Returns the specs that import the feature's files or have its name; where there are none, those that call its routes. */
function testsOf(name: string, files: readonly string[], routes: readonly Route[]): string[] {
  const folder = name.replace('/', '-');
  const specs = filesIn('test').filter((file) => file.endsWith('.spec.ts'));
  const own = specs.filter(
    (file) =>
      file.startsWith(`test/${folder}/`) ||
      (file.split('/').at(-1) ?? '').startsWith(`${folder}.`) ||
      importsOf(file).some(({ target }) => files.includes(target)),
  );
  const paths = routes.map(({ path }) => path.replace(/:.*/, ''));
  return own.length > 0 ? own : specs.filter((file) => paths.some((path) => textOf(file).includes(path)));
}
