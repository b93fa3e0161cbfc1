import type { InstanceSettings } from '#events/instance.ts';
import type { CommandContext } from '#kernel/context.ts';
import { invalid, isRookeryError, type ValidationDetail } from '#kernel/errors.ts';
import { readSetting, type SettingName } from './named-settings.ts';

/**
 * Reads several settings before anything is changed. Stores pictures.
 * @throws RookeryError `invalid` with the problems of each setting
 */
export async function readSettings(
  ctx: CommandContext,
  given: Readonly<Partial<Record<SettingName, Buffer>>>,
): Promise<Partial<InstanceSettings>> {
  const changes: Partial<InstanceSettings> = {};
  const problems: Record<string, ValidationDetail[]> = {};
  for (const [name, value] of Object.entries(given)) {
    try {
      Object.assign(changes, await readSetting(ctx, name as SettingName, value));
    } catch (error) {
      if (!isRookeryError(error) || !['invalid', 'not_found'].includes(error.code)) throw error;
      problems[name] = [{ error: 'ERR_INVALID', description: error.message.replace(`${name} `, '') }];
    }
  }
  if (Object.keys(problems).length > 0) throw invalid('The settings are not saved.', problems);
  return changes;
}
