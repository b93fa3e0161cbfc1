import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import {
  type AnnouncementInput,
  createAnnouncement,
  deleteAnnouncement,
  publishAnnouncement,
  unpublishAnnouncement,
  updateAnnouncement,
} from '#commands/announcements/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { RookeryError } from '#kernel/errors.ts';
import { readCertainMoment } from '#kernel/moments.ts';
import { allAnnouncements } from '#queries/announcements/index.ts';
import { parseId } from './arguments.ts';
import { asOperator, type Operator } from './operator.ts';
import { confirm, printResult, printRow } from './output.ts';

/** `rookery announcements`: messages from the staff to all users. */
export function announcementsCommand(): Command {
  const announcements = new Command('announcements').description('Tell all users something');
  withTimes(announcements.command('create'))
    .description('Announce something, and print the id of it')
    .argument('<text>')
    .addOption(new Option('--draft', 'do not publish it yet').conflicts('at'))
    .action((text: string, options: CreateOptions) =>
      asOperator((operator) => create(operator, text, options)),
    );
  withTimes(announcements.command('edit'))
    .description('Change an announcement')
    .addArgument(announcementId())
    .option('--text <text>', 'what it says')
    .action((id: string, options: EditOptions) => asOperator((operator) => edit(operator, id, options)));
  const simple = (
    name: string,
    description: string,
    act: (ctx: CommandContext, id: string) => Promise<unknown>,
  ) =>
    announcements
      .command(name)
      .description(description)
      .addArgument(announcementId())
      .action((id: string) =>
        asOperator(async ({ ctx, catchUp }) => {
          await act(ctx, id);
          await catchUp();
          confirm();
        }),
      );
  simple('publish', 'Publish an announcement now', publishAnnouncement);
  simple('unpublish', 'Take an announcement back, to publish it again or not', unpublishAnnouncement);
  simple('delete', 'Delete an announcement, with the reactions to it', deleteAnnouncement);
  announcements
    .command('list')
    .description('Show the newest announcements, and whether they are published')
    .action(() => asOperator(list));
  return announcements;
}

interface TimeOptions {
  starts?: string | false;
  ends?: string | false;
  at?: string | false;
  allDay?: boolean;
}
type CreateOptions = TimeOptions & { draft?: true };
type EditOptions = TimeOptions & { text?: string };

const withTimes = (command: Command): Command =>
  command
    .option('--starts <time>', 'when what is announced begins, such as 2026-12-01T20:00Z', moment)
    .option('--no-starts', 'it has no beginning')
    .option('--ends <time>', 'when it ends; the announcement is taken back then', moment)
    .option('--no-ends', 'it has no end')
    .option('--all-day', 'it begins and ends with whole days, UTC')
    .option('--no-all-day', 'it begins and ends at a time of day')
    .option('--at <time>', 'when to publish the announcement', moment)
    .option('--no-at', 'do not publish it by itself');

function moment(text: string): string {
  const moment = readCertainMoment(text);
  if (moment === undefined) throw new InvalidArgumentError('must be a time such as 2026-12-01T20:00Z.');
  return moment;
}

const announcementId = (): Argument => new Argument('<id>', 'of the announcement').argParser(parseId);

/** Returns the options that the user gave. Commander sets negative options to true unless they are given. */
function timesOf({ starts, ends, at, allDay }: TimeOptions): Partial<AnnouncementInput> {
  const given = (value: string | boolean | undefined): value is string | false =>
    typeof value === 'string' || value === false;
  return {
    ...(given(starts) ? { starts_at: starts || null } : {}),
    ...(given(ends) ? { ends_at: ends || null } : {}),
    ...(given(at) ? { scheduled_at: at || null } : {}),
    ...(allDay === undefined ? {} : { all_day: allDay }),
  };
}

async function create({ ctx, catchUp }: Operator, text: string, options: CreateOptions): Promise<void> {
  // Names in the text are looked up.
  await catchUp();
  const none = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
  const input = { text, ...none, ...timesOf(options) };
  const id = await createAnnouncement(ctx, input, { draft: options.draft === true });
  await catchUp();
  printResult(`OK\n${id}`, { id });
}

async function edit(
  { ctx, catchUp }: Operator,
  id: string,
  { text, ...options }: EditOptions,
): Promise<void> {
  const changes = { ...(text === undefined ? {} : { text }), ...timesOf(options) };
  if (Object.keys(changes).length === 0) throw new RookeryError('invalid', 'Say what to change; see --help');
  await catchUp();
  await updateAnnouncement(ctx, { id, ...changes });
  await catchUp();
  confirm();
}

async function list({ app, catchUp }: Operator): Promise<void> {
  await catchUp();
  for (const { id, content, published_at } of await allAnnouncements(app.db)) {
    const waiting = content.scheduled_at === null ? 'draft' : `for ${content.scheduled_at}`;
    const text = content.text.replace(/\s+/g, ' ').slice(0, 60);
    printRow({ id, state: published_at === null ? waiting : `published ${published_at}`, text });
  }
}
