import { Command } from 'commander';
import { parseDays } from './maintenance.ts';
import { removeUnseen } from './media.ts';
import { asOperator } from './operator.ts';

/** `rookery preview-cards`, modelled on `tootctl preview_cards`. */
export function previewCardsCommand(): Command {
  const cards = new Command('preview-cards').description('Look after the previews of links');
  cards
    .command('remove')
    .description(
      'Remove pictures of previews that nobody looked at for long; they are fetched again when asked for',
    )
    .option('--days <days>', 'for how long; 180 unless given', parseDays, 180)
    .action(({ days }: { days: number }) => remove(days));
  return cards;
}

/** Descriptions of pages are forgotten as well: they only save asking the pages again. */
const remove = (days: number): Promise<void> =>
  asOperator(async (operator) => {
    await operator.app.db.query('delete from durable.link_previews where expires_at < now()');
    await removeUnseen(operator, { days, kinds: ['cards'], unit: 'pictures' });
  });
