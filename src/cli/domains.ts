import { Command, InvalidArgumentError, Option } from 'commander';
import { allowDomain, disallowDomain } from '#commands/admin/domain-allows/index.ts';
import { changeDomainBlock, imposeDomainBlock, unblockDomain } from '#commands/admin/domain-blocks/index.ts';
import { type DomainRules, domainSeverity, MAX_COMMENT_LENGTH } from '#events/admin-domain-blocks.ts';
import { eachAbove } from '#kernel/batches.ts';
import { domainOf } from '#mastodon/domain-name.ts';
import { domainAllowsAbove } from '#queries/admin/domain-allows.ts';
import { domainBlocksAbove, holdingBlock } from '#queries/admin/domain-blocks/index.ts';
import { exportDomains, importDomains, type ImportOptions } from './domain-lists.ts';
import { addCrawl } from './domains-crawl.ts';
import { absent, eachGiven, onDomains } from './each.ts';
import { asOperator, type Operator } from './operator.ts';
import { printRow } from './output.ts';
import { addPurge } from './remote-accounts.ts';

/** `rookery domains`: blocked and allowed servers. */
export function domainsCommand(): Command {
  const domains = new Command('domains').description('Block and allow other servers');
  addBlocks(domains);
  addAllows(domains);
  addLists(domains);
  addPurge(domains);
  addCrawl(domains);
  return domains;
}

function addBlocks(domains: Command): void {
  domains
    .command('block')
    .description('Block domains and all below them, or change blocks')
    .argument('<domains...>')
    .addOption(
      new Option('--severity <severity>', 'what it means for accounts there; silence unless given').choices(
        domainSeverity.options,
      ),
    )
    .option('--reject-media', 'show nothing that they attach, and no pictures of theirs')
    .option('--no-reject-media', 'show them again')
    .option('--reject-reports', 'take no reports from there')
    .option('--no-reject-reports', 'take them again')
    .option('--private-comment <text>', 'for the staff', comment)
    .option('--public-comment <text>', 'comment for everybody who may see the list', comment)
    .option('--obfuscate', 'show parts of the name only in the public list')
    .option('--no-obfuscate', 'show all of it')
    .action((names: string[], options: BlockOptions) =>
      asOperator((operator) => block(operator, names, options)),
    );
  domains
    .command('unblock')
    .description('Lift blocks of domains')
    .argument('<domains...>')
    .action(onDomains('Unblocked', unblockDomain, absent('is not blocked')));
  domains
    .command('blocks')
    .description('Show each block: domain, severity, what else is rejected, comment')
    .action(() => asOperator(listBlocks));
}

function addAllows(domains: Command): void {
  domains
    .command('allow')
    .description('Allow domains, for limited federation mode')
    .argument('<domains...>')
    .action(onDomains('Allowed', allowDomain));
  domains
    .command('unallow')
    .description('Allow domains no longer')
    .argument('<domains...>')
    .action(onDomains('Unallowed', disallowDomain, absent('is not allowed')));
  domains
    .command('allows')
    .description('Show the domains that are allowed')
    .action(() => asOperator(listAllows));
}

function addLists(domains: Command): void {
  domains
    .command('import')
    .description('Take over a list of blocks in the form of Mastodon (CSV), or with a domain in each line')
    .argument('<file>')
    .addOption(
      new Option('--merge <how>', 'what becomes of blocks that are there; stricter unless given').choices([
        'stricter',
        'replace',
      ]),
    )
    .addOption(new Option('--allows', 'it is a list of domains to allow').conflicts('merge'))
    .option('--dry-run', 'only show what would be done, and how many follows would end')
    .action((file: string, options: ImportOptions) =>
      asOperator((operator) => importDomains(operator, file, options)),
    );
  domains
    .command('export')
    .description('Write the list of blocks in the form of Mastodon, with names in full')
    .argument('[file]', 'a new file; standard output unless given')
    .option('--allows', 'the domains that are allowed instead')
    .action((file: string | undefined, options: { allows?: boolean }) =>
      asOperator((operator) => exportDomains(operator, file, options)),
    );
}

interface BlockOptions {
  severity?: DomainRules['severity'];
  rejectMedia?: boolean;
  rejectReports?: boolean;
  privateComment?: string;
  publicComment?: string;
  obfuscate?: boolean;
}

function comment(text: string): string {
  if (text.length > MAX_COMMENT_LENGTH) throw new InvalidArgumentError('is too long.');
  return text.trim();
}

/** Returns only the given options. An empty comment removes it. */
function rulesOf(options: BlockOptions): Partial<DomainRules> {
  const { severity, rejectMedia, rejectReports, privateComment, publicComment, obfuscate } = options;
  return {
    ...(severity === undefined ? {} : { severity }),
    ...(rejectMedia === undefined ? {} : { reject_media: rejectMedia }),
    ...(rejectReports === undefined ? {} : { reject_reports: rejectReports }),
    ...(privateComment === undefined ? {} : { private_comment: privateComment || null }),
    ...(publicComment === undefined ? {} : { public_comment: publicComment || null }),
    ...(obfuscate === undefined ? {} : { obfuscate }),
  };
}

/** Changes an existing block, like `PUT`. */
async function block({ app, ctx, catchUp }: Operator, names: string[], options: BlockOptions): Promise<void> {
  await catchUp();
  const rules = rulesOf(options);
  await eachGiven(
    'Blocked',
    names,
    async (name) => {
      const domain = domainOf(name);
      const holding = await holdingBlock(app.db, domain);
      if (holding?.domain === domain) await changeDomainBlock(ctx, { domain, rules });
      else await imposeDomainBlock(ctx, { domain, rules });
    },
    ({ extras, message }) => (extras.members === undefined ? undefined : message),
  );
  await catchUp();
}

async function listBlocks({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for await (const each of eachAbove((after, limit) => domainBlocksAbove(app.db, after, limit))) {
    const { domain, severity, reject_media, reject_reports, private_comment, public_comment } = each;
    const rejects = [...(reject_media ? ['media'] : []), ...(reject_reports ? ['reports'] : [])];
    const words = (public_comment ?? private_comment ?? '').replace(/\s+/g, ' ').slice(0, 60);
    printRow({ domain, severity, rejects, comment: words || null });
  }
}

async function listAllows({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for await (const { domain } of eachAbove((after, limit) => domainAllowsAbove(app.db, after, limit))) {
    printRow({ domain });
  }
}
