/** The tokens that a scenario needs. `profile` is a token of alice that has only the scope `profile`. */
export const PEOPLE = ['alice', 'bob', 'carol', 'owner', 'application', 'profile', 'broken'] as const;
export type Person = (typeof PEOPLE)[number];

/**
 * One request of a scenario. `{name}` in the path or body is replaced by a value that an earlier step saved.
 */
export interface Step {
  /** Unique in the scenario. */
  name: string;
  /** The sender of the request. Without a sender, the request has no token. */
  as?: Person;
  method: string;
  path: string;
  /** Sent as JSON. */
  body?: unknown;
  /** The names of the form fields that carry a picture. The request is multipart. */
  pictures?: readonly string[];
  /** Maps a name to the place of a value in the answer, for example `media_attachments.0.id`. */
  save?: Readonly<Record<string, string>>;
  /** The operation of the request, for example `POST /api/v1/statuses/{id}/pin`. */
  operation: string;
}

type Good = Partial<Pick<Step, 'body' | 'pictures' | 'save'>> & { name?: string };

/** Returns a request of the scenario. `ids` fills the parameters in the path of the operation. */
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
