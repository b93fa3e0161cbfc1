/** The tokens that a scenario needs. `profile` is a token of alice with the scope `profile` alone. */
export const PEOPLE = ['alice', 'bob', 'carol', 'owner', 'application', 'profile', 'broken'] as const;
export type Person = (typeof PEOPLE)[number];

/** One request, and the values of its answer that later requests need. `{name}` stands for a saved value. */
export interface Step {
  /** Unique in the scenario. */
  name: string;
  /** The sender. A request without one has no token. */
  as?: Person;
  method: string;
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as a multipart form with a picture under each of these names. */
  pictures?: readonly string[];
  /** Name of the value, and its place in the answer, as `media_attachments.0.id`. */
  save?: Readonly<Record<string, string>>;
  /** `POST /api/v1/statuses/{id}/pin`: the operation that the request belongs to. */
  operation: string;
}

type Good = Partial<Pick<Step, 'body' | 'pictures' | 'save'>> & { name?: string };

/** Returns a request of a scenario whose answer is good. The operation is the template; `ids` fills its parameters. */
export function step(
  as: Person | undefined,
  operation: string,
  ids: Readonly<Record<string, string>> = {},
  { name, ...more }: Good & { query?: string } = {},
): Step {
  const { query, ...rest } = more;
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (all, key: string) => ids[key] ?? all);
  const detail = rest.body === undefined ? Object.values(ids).join(' ') : JSON.stringify(rest.body);
  const shown = [as ?? 'nobody', operation, name ?? query ?? detail];
  return {
    name: shown.filter((part) => part !== '').join(' · '),
    ...(as ? { as } : {}),
    method,
    path: query === undefined ? path : `${path}?${query}`,
    operation,
    ...rest,
  };
}
