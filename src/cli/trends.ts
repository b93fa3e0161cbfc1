import { Argument, Command, Option } from 'commander';
import { reviewTag, reviewTrend } from '#commands/trends/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { isId } from '#kernel/ids.ts';
import { canonicalDomain } from '#mastodon/domain-name.ts';
import { parseTagName } from '#mastodon/tag-name.ts';
import { linkOfUrl, trendableStatus, type WaitingTrend, waitingTrends } from '#queries/trends/index.ts';
import { asOperator } from './operator.ts';
import { confirm, printTable } from './output.ts';

/** `rookery trends`: hashtags, posts and links that await a review, and the decisions about them. */
export function trendsCommand(): Command {
  const trends = new Command('trends').description('Review what trends');
  trends.command('list').description('Show the trends that wait for a review').action(list);
  const reviewing = (verb: string, trendable: boolean, description: string): void => {
    trends
      .command(verb)
      .description(description)
      .addArgument(
        new Argument('[names...]', 'hashtags, ids of posts, addresses of links, or domains of publishers'),
      )
      .addOption(new Option('--all', 'everything that `trends list` shows').default(false))
      .action((names: string[], { all }: { all: boolean }) => review(names, all, trendable));
  };
  reviewing('allow', true, 'Let them be among the trends');
  reviewing('reject', false, 'Keep them from the trends');
  return trends;
}

const list = (): Promise<void> =>
  asOperator(async ({ ctx, catchUp }) => {
    await catchUp();
    const rows = (await waitingTrends(ctx.db, ctx.instance)).map((trend) => [
      KINDS[trend.subject],
      argumentOf(trend),
      trend.subject === 'status' ? `${trend.name} ${trend.url}` : '',
    ]);
    printTable(['KIND', 'NAME', 'SHOWN'], rows, { headless: true });
  });

const KINDS = { tag: 'hashtag', status: 'post', link: 'link' } as const;

const argumentOf = ({ subject, key, name }: WaitingTrend): string => (subject === 'status' ? key : name);

/** All or none: checks every name before the first decision. */
const review = (names: readonly string[], all: boolean, trendable: boolean): Promise<void> =>
  asOperator(async ({ ctx, catchUp }) => {
    if (all === names.length > 0) throw new RookeryError('invalid', 'Give names, or --all');
    await catchUp();
    const waiting = all ? await waitingTrends(ctx.db, ctx.instance) : [];
    const found = all ? waiting : await Promise.all(names.map((name) => subjectOf(ctx, name)));
    for (const { subject, key } of found) {
      if (subject === 'tag') await reviewTag(ctx, { tag: key, changes: { trendable } });
      else await reviewTrend(ctx, { subject, key, trendable });
    }
    await catchUp();
    confirm();
  });

interface Subject {
  subject: WaitingTrend['subject'] | 'publisher';
  key: string;
}

async function subjectOf(ctx: CommandContext, name: string): Promise<Subject> {
  if (isId(name)) return { subject: 'status', key: await trendableStatus(ctx, name) };
  if (/^https?:\/\//.test(name)) return { subject: 'link', key: await linkOfUrl(ctx.db, name) };
  const domain = canonicalDomain(name);
  if (domain?.includes('.')) return { subject: 'publisher', key: domain };
  const tag = parseTagName(name.replace(/^#/, ''));
  if (tag) return { subject: 'tag', key: tag.normal };
  throw new RookeryError('invalid', `${name} is no hashtag, post, link or publisher`);
}
