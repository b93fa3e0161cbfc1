import { takesBody } from './skeleton.ts';
import type { Plan } from './skeleton-names.ts';

/** Returns a line for each later place that names the new endpoint (CONTRIBUTING, Adding an endpoint). */
export function laterPlaces(plan: Plan): string[] {
  const { method, path, staff, beside } = plan;
  const changes = method !== 'GET';
  const places: readonly (readonly [isNeeded: boolean, place: string, what: string])[] = [
    [beside.length > 0, path, `has other methods too: ${beside.join(', ')}`],
    [
      path.includes(':') && !staff,
      'test/visibility/own.api.spec.ts',
      `OWN or NOT_OWN knows the kind of the id${takesBody(plan) ? ', bodyFor the fields that the body must have' : ''}`,
    ],
    [
      takesBody(plan),
      'test/http/required-fields.api.spec.ts',
      'soundBodies has a body with the fields that it must have',
    ],
    [
      staff !== undefined && changes,
      'test/audit/completeness.api.spec.ts',
      'requests has one that records an event of staff; test/audit/reading.ts names what changes nothing',
    ],
    [!changes, 'test/visibility/surfaces.ts', 'if it replies with posts, polls, media or accounts'],
    [true, 'test/clients/answers.ts', 'if it adds or changes an entity of popular apps'],
    [true, 'npm run contracts', 'after each change of its name or path'],
    [true, 'CONFORMANCE=record npm run conformance:check', 'when its reply is as it should be'],
    [true, 'docs/changes/', 'a file with the line that users read'],
  ];
  const needed = places.filter(([isNeeded]) => isNeeded);
  return needed.map(([, place, what]) => `  ${place}: ${what}`);
}
