import {
  DEFAULT_SETTINGS,
  INSTANCE_STREAM,
  type InstanceEvent,
  type InstanceSettings,
} from '../../src/events/instance.ts';
import type { CommandContext } from '../../src/kernel/context.ts';
import type { Decider } from '../../src/kernel/decider.ts';
import { MAIN } from '../../src/kernel/projection.ts';

export const instance: Decider<InstanceSettings, InstanceEvent> = {
  initialState: DEFAULT_SETTINGS,
  evolve: (state, { data }) => ({
    registrations: data.registrations ?? state.registrations,
    timeline_preview: data.timeline_preview ?? state.timeline_preview,
  }),
};

/** Changes settings of this server. Readable when it resolves. */
export async function changeSettings(ctx: CommandContext, changes: Partial<InstanceSettings>): Promise<void> {
  await ctx.execute(INSTANCE_STREAM, instance, (state) => decideSettings(state, changes));
  await ctx.settle([MAIN]);
}

/** Only what is different; nothing when nothing is. Pure. */
export function decideSettings(
  state: InstanceSettings,
  { registrations, timeline_preview }: Partial<InstanceSettings>,
): InstanceEvent[] {
  const changed = {
    ...(registrations !== undefined && registrations !== state.registrations ? { registrations } : {}),
    ...(timeline_preview !== undefined && timeline_preview !== state.timeline_preview
      ? { timeline_preview }
      : {}),
  };
  return Object.keys(changed).length === 0 ? [] : [{ type: 'InstanceSettingsChanged', data: changed }];
}
