import { Argument, Command } from 'commander';
import {
  changeSettings,
  readSetting,
  SETTING_NAMES,
  settingDefaults,
  type SettingName,
} from '#commands/instance/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { instanceSettings } from '#queries/instance/index.ts';
import { readFileOf } from './files.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printResult } from './output.ts';
import { addApps } from './settings-apps.ts';

const MODES = { open: 'open', close: 'closed', approved: 'approved' } as const;

/** `rookery settings`, modelled on `tootctl settings`. */
export function settingsCommand(): Command {
  const settings = new Command('settings').description('Change settings of this server');
  settings
    .command('registrations')
    .description('Say who may sign up: anybody, nobody, or whom the staff approves')
    .addArgument(new Argument('<mode>', 'one of these').choices(Object.keys(MODES)))
    .action((mode: keyof typeof MODES) =>
      asOperator((operator) => change(operator, { registrations: MODES[mode] })),
    );
  settings
    .command('show')
    .description('Show all settings')
    .action(() => asOperator(show));
  settings
    .command('set')
    .description('Change a setting; texts may be HTML, thumbnail and icon are pictures')
    .addArgument(settingName())
    .argument('[value]')
    .option('--file <path>', 'take the value from a file')
    .action((name: SettingName, value: string | undefined, options: { file?: string }) =>
      asOperator(async (operator) =>
        change(operator, await readSetting(operator.ctx, name, await valueOf(name, value, options))),
      ),
    );
  settings
    .command('reset')
    .description('Make a setting what it was in the beginning')
    .addArgument(settingName())
    .action((name: SettingName) => asOperator((operator) => change(operator, settingDefaults(name))));
  addApps(settings);
  return settings;
}

const settingName = (): Argument => new Argument('<name>', 'the setting').choices(SETTING_NAMES);

async function change(
  { ctx, catchUp }: Operator,
  changes: Parameters<typeof changeSettings>[1],
): Promise<void> {
  await changeSettings(ctx, changes);
  await catchUp();
  confirm();
}

async function valueOf(
  name: SettingName,
  value: string | undefined,
  { file }: { file?: string },
): Promise<Buffer> {
  if (file !== undefined && value === undefined) return readFileOf(file);
  if (value === undefined || file !== undefined || name === 'thumbnail' || name === 'icon') {
    throw new RookeryError('invalid', 'Give either a value or --file; pictures need --file');
  }
  return Buffer.from(value);
}

/** Prints one setting per line: its name, and its value as JSON. */
async function show({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for (const [name, value] of Object.entries(await instanceSettings(app.db))) {
    printResult(`${name}\t${JSON.stringify(value)}`, { name, value });
  }
}
