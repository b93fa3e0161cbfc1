import { DEFAULT_SETTINGS, type InstanceEvent, type InstanceSettings } from '#events/instance.ts';
import type { Decider } from '#kernel/decider.ts';

/** Tells who may sign up, by the stream `instance`. */
export const registrations: Decider<InstanceSettings['registrations'], InstanceEvent> = {
  initialState: DEFAULT_SETTINGS.registrations,
  evolve: (mode, event) =>
    event.type === 'InstanceSettingsChanged' ? (event.data.registrations ?? mode) : mode,
};
