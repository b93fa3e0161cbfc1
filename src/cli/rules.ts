import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { addRule, editRule, moveRule, removeRule, removeRuleTranslation } from '#commands/instance/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { rulesOf } from '#queries/instance/index.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printResult, printRow } from './output.ts';

/** `rookery rules`: the rules that users accept when they sign up, and by which they report posts. */
export function rulesCommand(): Command {
  const rules = new Command('rules').description('Look after the rules of this server');
  rules
    .command('list')
    .description('Show the rules in their order, with the languages that they are translated into')
    .action(() => asOperator(list));
  rules
    .command('add')
    .description('Add a rule at the end, and print its id')
    .argument('<text>')
    .option('--hint <text>', 'what is meant by it', '')
    .action((text: string, { hint }: { hint: string }) =>
      asOperator(async ({ ctx, catchUp }) => {
        const { state } = await addRule(ctx, { text, hint });
        await catchUp();
        printResult(`OK\n${state.lastRuleId}`, { id: state.lastRuleId });
      }),
    );
  rules
    .command('edit')
    .description('Change a rule, or with --language its translation')
    .addArgument(ruleId())
    .option('--text <text>', 'the rule')
    .option('--hint <text>', 'what is meant by it')
    .option('--language <code>', 'the language of a translation')
    .addOption(new Option('--remove', 'take the translation away').conflicts(['text', 'hint']))
    .option('--place <number>', 'the place in the list, 1 for the first', wholeNumber)
    .action((id: number, options: EditOptions) => asOperator((operator) => edit(operator, id, options)));
  rules
    .command('remove')
    .description('Remove a rule')
    .addArgument(ruleId())
    .action((id: number) =>
      asOperator(async ({ ctx, catchUp }) => {
        await removeRule(ctx, id);
        await catchUp();
        confirm();
      }),
    );
  return rules;
}

interface EditOptions {
  text?: string;
  hint?: string;
  language?: string;
  remove?: true;
  place?: number;
}

const wholeNumber = (text: string): number => {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError('must be a number.');
  return Number(text);
};
const ruleId = (): Argument => new Argument('<id>', 'the number of the rule').argParser(wholeNumber);

async function edit({ ctx, catchUp }: Operator, id: number, options: EditOptions): Promise<void> {
  const { remove, place, language, ...texts } = options;
  if (Object.keys(texts).length === 0 && !remove && place === undefined) {
    throw new RookeryError('invalid', 'Say what to change; see --help');
  }
  if (remove) {
    if (language === undefined) throw new RookeryError('invalid', 'Say which --language to remove');
    await removeRuleTranslation(ctx, { id, tag: language });
  }
  if (Object.keys(texts).length > 0) await editRule(ctx, { id, ...texts, ...(language ? { language } : {}) });
  if (place !== undefined) await moveRule(ctx, { id, place });
  await catchUp();
  confirm();
}

async function list({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for (const { id, text, hint, translations = {} } of await rulesOf(app.db)) {
    printRow({ id, text, hint: hint || null, languages: Object.keys(translations) });
  }
}
