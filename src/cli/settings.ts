import { Argument, Command } from 'commander';
import { changeSettings } from '../../commands/instance/index.ts';
import { asOperator } from './operator.ts';

const MODES = { open: 'open', close: 'closed', approved: 'approved' } as const;

/** `rookery settings`, in the manner of `tootctl settings`. */
export function settingsCommand(): Command {
  const settings = new Command('settings').description('Change settings of this server');
  settings
    .command('registrations')
    .description('Say who may sign up: anybody, nobody, or whom the staff approves')
    .addArgument(new Argument('<mode>').choices(Object.keys(MODES)))
    .action((mode: keyof typeof MODES) =>
      asOperator(async ({ ctx, settled }) => {
        await changeSettings(ctx, { registrations: MODES[mode] });
        await settled();
        console.log('OK');
      }),
    );
  return settings;
}
