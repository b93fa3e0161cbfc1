import { type Command, Option } from 'commander';
import { changeSettings, readSetting, settingDefaults } from '#commands/instance/index.ts';
import { instanceSettings, listedApps } from '#queries/instance/index.ts';
import { readFileOrInput } from './files.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, isJson, printJson, printTable } from './output.ts';

/** Adds `rookery settings apps`: the apps that the pages recommend. */
export function addApps(settings: Command): void {
  settings
    .command('apps')
    .description('Show the apps that the pages recommend, or replace them')
    .option('--set <file>', 'replace the list by this JSON file; - for the standard input')
    .addOption(new Option('--reset', 'return to the list of this version').conflicts('set'))
    .action(({ set, reset }: { set?: string; reset?: true }) =>
      asOperator(async (operator) => {
        if (set === undefined && !reset) return show(operator);
        const { ctx, catchUp } = operator;
        const changes =
          set === undefined
            ? settingDefaults('apps')
            : await readSetting(ctx, 'apps', await readFileOrInput(set));
        await changeSettings(ctx, changes);
        await catchUp();
        confirm();
      }),
    );
}

/** With `--json`, prints an object that `--set` takes. */
async function show({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  const apps = listedApps(await instanceSettings(app.db));
  if (isJson()) return printJson({ apps });
  printTable(
    ['Platform', 'Name', 'Address', 'Description'],
    apps.map(({ platform, name, address, website, description }) => [
      platform,
      name,
      address ?? website,
      description,
    ]),
  );
}
