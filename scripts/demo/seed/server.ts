import { createAnnouncement } from '#commands/announcements/index.ts';
import { importEmoji } from '#commands/custom-emojis/index.ts';
import { addRule, changeSettings, readSetting, type SettingName } from '#commands/instance/index.ts';
import type { CommandContext } from '#kernel/context.ts';
import { days, momentOf } from '../moments.ts';
import { MOTIFS } from '../pictures/motifs.ts';
import { PALETTES } from '../pictures/palettes.ts';
import { banner } from '../pictures/portraits.ts';
import { render } from '../pictures/render.ts';
import { ANNOUNCEMENT, EMOJIS, RULES, SERVER } from '../texts/server.ts';
import { forAll, PICTURES_AT_ONCE, type Town } from './town.ts';

/** Names the server, describes it, and gives it rules, a picture and emojis, as the operator does by `rookery settings`. */
export async function furnish(town: Town): Promise<void> {
  // A context of its own for each command: within one, an append that comes again is the same append.
  const operator = (): CommandContext => town.acting.operator(momentOf(days(43), town.end));
  const settings: Record<string, Buffer> = {
    ...Object.fromEntries(Object.entries(SERVER).map(([name, text]) => [name, Buffer.from(text)])),
    registrations: Buffer.from('open'),
    annual_reports: Buffer.from('always'),
    thumbnail: await render(banner(town.plan.seed), 'png'),
  };
  for (const [name, value] of Object.entries(settings)) {
    const ctx = operator();
    await changeSettings(ctx, await readSetting(ctx, name as SettingName, value));
  }
  for (const [text, hint] of RULES) await addRule(operator(), { text, hint });
  await forAll(
    EMOJIS,
    ([shortcode, motif, palette]) => addEmoji(town, shortcode, MOTIFS[motif](PALETTES[palette])),
    PICTURES_AT_ONCE,
  );
}

async function addEmoji({ acting, end }: Town, shortcode: string, motif: string): Promise<void> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="-116 -120 232 232">${motif}</svg>`;
  const emoji = {
    shortcode,
    data: await render(drawing, 'png'),
    category: 'Heron Street',
    visible_in_picker: true,
  };
  await importEmoji(acting.operator(momentOf(days(43), end)), emoji, { overwrite: false });
}

/** Announces the count to everybody. */
export async function announce({ acting, end }: Town): Promise<string> {
  const times = { starts_at: null, ends_at: null, all_day: false, scheduled_at: null };
  return createAnnouncement(acting.operator(momentOf(2_750, end)), { text: ANNOUNCEMENT, ...times });
}
