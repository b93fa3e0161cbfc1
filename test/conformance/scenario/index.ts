import { operations } from '../operations.ts';
import { probesOf } from '../probes.ts';
import type { Step } from '../step.ts';
import { accounts } from './accounts.ts';
import { admin } from './admin.ts';
import { furnish } from './furnish.ts';
import { instance } from './instance.ts';
import { reads } from './reads.ts';
import { statuses } from './statuses.ts';

/** Returns all requests of the scenario in their order. A number follows a name that occurs again. */
export function scenario(): Step[] {
  const steps = [
    ...furnish,
    ...statuses,
    ...accounts,
    ...instance,
    ...reads,
    ...admin,
    ...operations().flatMap(probesOf),
  ];
  const times = new Map<string, number>();
  return steps.map((each) => {
    const time = (times.get(each.name) ?? 0) + 1;
    times.set(each.name, time);
    return time === 1 ? each : { ...each, name: `${each.name} · ${time}` };
  });
}
