import { INSTANCE_STREAM, type InstanceEvent, type InstanceSettings } from '#events/instance.ts';
import { changedFields } from '#kernel/changed-fields.ts';
import { useCase } from '../use-case.ts';
import { instance } from './instance.ts';

/** Changes settings of this server. The read models contain them when this resolves. */
export const changeSettings = useCase({
  stream: (_changes: Partial<InstanceSettings>) => INSTANCE_STREAM,
  decider: instance,
  decide: ({ settings }, changes) => decideSettings(settings, changes),
});

/** Decides only differences. Pure. */
export function decideSettings(
  settings: InstanceSettings,
  changes: Partial<InstanceSettings>,
): InstanceEvent[] {
  const changed = changedFields(settings, {
    ...changes,
    // An unchanged text keeps its time.
    ...withOldTime(settings, changes, 'extended_description'),
    ...withOldTime(settings, changes, 'privacy_policy'),
  });
  return changed ? [{ type: 'InstanceSettingsChanged', data: changed }] : [];
}

function withOldTime(
  settings: InstanceSettings,
  changes: Partial<InstanceSettings>,
  name: 'extended_description' | 'privacy_policy',
): Partial<InstanceSettings> {
  const before = settings[name];
  const same = before !== null && changes[name]?.content === before.content;
  return same ? { [name]: before } : {};
}
