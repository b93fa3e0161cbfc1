// Lists where the parts of a feature are: routes, use cases, events, streams, read models, reactors, statements, specs.
//
//   npm run where -- filters
//   npm run where -- admin/reports
//   npm run where                    the names of all features
import { table } from '#cli/table.ts';
import { describeFeature, featureNames } from './lib/feature.ts';

const [name] = process.argv.slice(2);
const names = featureNames();
if (name === undefined) {
  console.log(names.join('\n'));
} else if (names.includes(name)) {
  await show(name);
} else {
  console.error(`There is no feature ${name}. Features: ${names.join(', ')}`);
  process.exitCode = 1;
}

async function show(feature: string): Promise<void> {
  const { files, routes, useCases, events, streams, readModels, reactors, statements, tests } =
    await describeFeature(feature);
  section('Files', files);
  section('Routes', lines(routes.map(({ method, path, file }) => [method, path, file])));
  section('Use cases', useCases);
  section('Events', events);
  section('Streams', streams);
  const models = readModels.map((each) => [each.name, each.group, each.because, each.tables.join(' ')]);
  section('Read models (name, group, why, tables)', lines(models));
  section('Reactors', reactors);
  section('Statements', statements);
  section('Specs', tests);
}

function lines(rows: readonly string[][]): string[] {
  return rows.length === 0 ? [] : table(rows).split('\n');
}

function section(title: string, entries: readonly string[]): void {
  console.log(
    `${title}\n${(entries.length === 0 ? ['none'] : entries).map((entry) => `  ${entry}`).join('\n')}\n`,
  );
}
