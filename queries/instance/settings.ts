import { DEFAULT_SETTINGS, type InstanceSettings } from '#events/instance.ts';
import { type Db, statement } from '#kernel/read.ts';
import type { InstanceSettingsRow } from '#projections/instance.ts';

const SETTINGS = statement<Pick<InstanceSettingsRow, 'settings'>>(
  'instance_settings',
  'select settings from instance_settings where id = 1',
);

/** Returns the settings of this server; the defaults until staff change them. */
export async function instanceSettings(db: Db): Promise<InstanceSettings> {
  const [row] = await db.query(SETTINGS);
  return { ...DEFAULT_SETTINGS, ...row?.settings };
}
