import { Argument, Command } from 'commander';
import { reviewTag } from '#commands/trends/index.ts';
import { RookeryError } from '#kernel/errors.ts';
import { parseTagName } from '#mastodon/tag-name.ts';
import { asOperator } from './operator.ts';
import { confirm } from './output.ts';

/** `rookery tags`: hashtags that may trend. */
export function tagsCommand(): Command {
  const tags = new Command('tags').description('Say which hashtags may be among the trends');
  const reviewing = (verb: string, trendable: boolean, description: string): void => {
    tags
      .command(verb)
      .description(description)
      .addArgument(new Argument('<names...>', 'hashtags, with or without #'))
      .action((names: string[]) => review(names, trendable));
  };
  reviewing('allow', true, 'Let hashtags be among the trends');
  reviewing('reject', false, 'Keep hashtags from the trends');
  return tags;
}

/** All or none: checks every name first. */
const review = (names: readonly string[], trendable: boolean): Promise<void> =>
  asOperator(async ({ ctx, catchUp }) => {
    const tags = names.map((name) => {
      const tag = parseTagName(name.replace(/^#/, ''));
      if (!tag) throw new RookeryError('invalid', `${name} is no hashtag`);
      return tag.normal;
    });
    for (const tag of new Set(tags)) await reviewTag(ctx, { tag, changes: { trendable } });
    await catchUp();
    confirm();
  });
