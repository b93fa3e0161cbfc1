import { Command, CommanderError } from 'commander';
import { ConfigError } from '#config/config.ts';
import { VERSION } from '#config/version.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { accountsCommand } from './accounts.ts';
import { announcementsCommand } from './announcements.ts';
import { appealsCommand } from './appeals.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import { doctorCommand } from './doctor.ts';
import { domainsCommand } from './domains.ts';
import { emailDomainBlocksCommand } from './email-domain-blocks.ts';
import { emojiCommand } from './emoji.ts';
import { exitCodeOf } from './exit-codes.ts';
import { federationCommand } from './federation.ts';
import { ipBlocksCommand } from './ip-blocks.ts';
import { keysCommand } from './keys.ts';
import { logCommand } from './log.ts';
import { mediaCommand } from './media.ts';
import { chooseOutput, isJson } from './output.ts';
import { previewCardsCommand } from './preview-cards.ts';
import { projectionsCommand } from './projections.ts';
import { reactorsCommand } from './reactors.ts';
import { relaysCommand } from './relays.ts';
import { reportsCommand } from './reports.ts';
import { restoreCommand } from './restore.ts';
import { rulesCommand } from './rules.ts';
import { selfDestructCommand } from './self-destruct.ts';
import { serveCommand } from './serve.ts';
import { settingsCommand } from './settings.ts';
import { statusesCommand } from './statuses.ts';
import { suggestionsCommand } from './suggestions.ts';
import { tagsCommand } from './tags.ts';
import { termsCommand } from './terms.ts';
import { tokensCommand } from './tokens.ts';
import { traceCommand } from './trace.ts';
import { trendsCommand } from './trends.ts';
import { witnessCommand } from './witness.ts';

/** Runs one command. Prints an error on one line, and sets the exit code of `exit-codes.ts`. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(args, { from: 'user' });
  } catch (error) {
    const code = exitCodeOf(error);
    process.exitCode = code;
    // Commander has printed its own errors already.
    if (!(error instanceof CommanderError)) printError(explain(error), code);
  }
}

const printError = (message: string, code: number): void =>
  void process.stderr.write(`${isJson() ? JSON.stringify({ error: message, code }) : message}\n`);

/** Gives each verb `--json` and `--quiet`, and makes wrong arguments an error instead of an exit. */
function withOutputOptions(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(withOutputOptions);
  const isVerb = command.commands.length === 0 || command.registeredArguments.length > 0;
  if (!isVerb) return command;
  return command
    .option('--json', 'print JSON: a line for each row, or one object')
    .option('--quiet', 'print no confirmation and no progress')
    .hook('preAction', (_, verb) => chooseOutput(verb.optsWithGlobals()));
}

/** Builds every verb, with `--json` and `--quiet`. */
export const program = (): Command => withOutputOptions(rookery());

const rookery = (): Command =>
  new Command('rookery')
    .version(VERSION)
    .description(
      'Runs and looks after a Rookery server. Settings come from the environment: CONFIGURATION.md.',
    )
    .addCommand(accountsCommand())
    .addCommand(statusesCommand())
    .addCommand(tokensCommand())
    .addCommand(settingsCommand())
    .addCommand(rulesCommand())
    .addCommand(termsCommand())
    .addCommand(tagsCommand())
    .addCommand(trendsCommand())
    .addCommand(emojiCommand())
    .addCommand(mediaCommand())
    .addCommand(previewCardsCommand())
    .addCommand(announcementsCommand())
    .addCommand(suggestionsCommand())
    .addCommand(federationCommand())
    .addCommand(reportsCommand())
    .addCommand(appealsCommand())
    .addCommand(auditCommand())
    .addCommand(domainsCommand())
    .addCommand(relaysCommand())
    .addCommand(emailDomainBlocksCommand())
    .addCommand(ipBlocksCommand())
    .addCommand(projectionsCommand())
    .addCommand(reactorsCommand())
    .addCommand(traceCommand())
    .addCommand(logCommand())
    .addCommand(witnessCommand())
    .addCommand(keysCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(doctorCommand())
    .addCommand(selfDestructCommand())
    .addCommand(serveCommand());

/** Returns one clear line, or the lines of an error that was written for the operator. A failed connection to several addresses keeps its reasons inside. */
function explain(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return explain(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error instanceof ConfigError || isRookeryError(error)
    ? error.message
    : (error.message.split('\n', 1)[0] ?? error.name);
}
