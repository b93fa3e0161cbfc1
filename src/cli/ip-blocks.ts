import { Command, InvalidArgumentError, Option } from 'commander';
import { blockRange, changeIpBlock, checkRange, unblockRange } from '#commands/admin/ip-blocks/index.ts';
import { type IpRules, ipSeverity, MAX_IP_COMMENT_LENGTH } from '#events/ip-blocks.ts';
import { eachAbove } from '#kernel/batches.ts';
import { notFound } from '#kernel/errors.ts';
import { timeAfter } from '#kernel/time.ts';
import { coveringIpBlocks, ipBlocksAbove } from '#queries/admin/ip-blocks/index.ts';
import { absent, eachGiven, taken } from './each.ts';
import { asOperator, type Operator } from './operator.ts';
import { printResult, printRow } from './output.ts';

/** `rookery ip-blocks`, modelled on `tootctl ip-blocks`. */
export function ipBlocksCommand(): Command {
  const blocks = new Command('ip-blocks').description('Block IP addresses and ranges of them');
  blocks
    .command('add')
    .description('Block addresses, or ranges such as 192.0.2.0/24')
    .argument('<ips...>')
    .addOption(
      new Option('--severity <severity>', 'what they may not do')
        .choices(ipSeverity.options)
        .makeOptionMandatory(),
    )
    .option('--comment <text>', 'for the staff', comment, '')
    .option('--duration <seconds>', 'how long; for ever unless given', seconds)
    .option('--force', 'change blocks that are there, instead of skipping them')
    .action((ips: string[], options: AddOptions) => asOperator((operator) => add(operator, ips, options)));
  blocks
    .command('remove')
    .description('Lift blocks of exactly these addresses or ranges')
    .argument('<ips...>')
    .option('--force', 'lift all blocks that hold for them, larger ranges too')
    .action((ips: string[], options: { force?: true }) =>
      asOperator((operator) => remove(operator, ips, options)),
    );
  blocks
    .command('list')
    .description('Show each block: range, severity, when it ends, comment')
    .action(() => asOperator(list));
  blocks
    .command('export')
    .description('Write the ranges that have no access at all, for a firewall or a web server')
    .addOption(
      new Option('--format <format>', 'the form of a line').choices(Object.keys(FORMATS)).default('plain'),
    )
    .action(({ format }: { format: string }) => asOperator((operator) => exportAll(operator, format)));
  return blocks;
}

interface AddOptions {
  severity: IpRules['severity'];
  comment: string;
  duration?: number;
  force?: true;
}

/** The maximum of the API, too: twenty years. */
const MAX_SECONDS = 20 * 366 * 86_400;

function seconds(text: string): number {
  const number = Number(text);
  if (!/^[0-9]{1,9}$/.test(text) || number < 1 || number > MAX_SECONDS) {
    throw new InvalidArgumentError('must be a number of seconds.');
  }
  return number;
}

function comment(text: string): string {
  if (text.length > MAX_IP_COMMENT_LENGTH) throw new InvalidArgumentError('is too long.');
  return text.trim();
}

async function add({ app, ctx, catchUp }: Operator, ips: string[], options: AddOptions): Promise<void> {
  await catchUp();
  const { severity, duration } = options;
  const expires_at = duration === undefined ? null : timeAfter(ctx.now, duration * 1_000);
  const rules: IpRules = { severity, comment: options.comment, expires_at };
  await eachGiven(
    'Added',
    ips,
    async (ip) => {
      const range = await checkRange(ctx, ip);
      const [own] = options.force ? await coveringIpBlocks(app.db, range, { exactly: true }) : [];
      if (own) await changeIpBlock(ctx, own.id, rules);
      else await blockRange(ctx, { ip: range, id: ctx.newId(), ...rules });
    },
    taken('is blocked already'),
  );
  await catchUp();
}

async function remove(
  { app, ctx, catchUp }: Operator,
  ips: string[],
  { force }: { force?: true },
): Promise<void> {
  await catchUp();
  await eachGiven(
    'Removed',
    ips,
    async (ip) => {
      const range = await checkRange(ctx, ip);
      const blocks = await coveringIpBlocks(app.db, range, { exactly: force !== true });
      if (blocks.length === 0) throw notFound();
      for (const block of blocks) await unblockRange(ctx, block.ip);
    },
    absent('is not blocked'),
  );
  await catchUp();
}

async function list({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for await (const block of eachAbove((after, limit) => ipBlocksAbove(app.db, after, limit))) {
    const words = block.comment.replace(/\s+/g, ' ').slice(0, 60);
    printRow({
      ip: block.ip,
      severity: block.severity,
      expires_at: block.expires_at,
      comment: words || null,
    });
  }
}

const FORMATS: Record<string, (range: string) => string> = {
  plain: (range) => range,
  nginx: (range) => `deny ${range};`,
};

async function exportAll({ app, catchUp }: Operator, format: string): Promise<void> {
  await catchUp();
  for await (const { ip, severity } of eachAbove((after, limit) => ipBlocksAbove(app.db, after, limit))) {
    if (severity === 'no_access') printResult(FORMATS[format]?.(ip) ?? ip, { ip });
  }
}
