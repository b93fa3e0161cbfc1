/** One reply, with placeholders where two runs of the same test differ. */
export interface RecordedReply {
  request: string;
  status: number;
  type: string;
  body: string;
}

/** Values that differ between two runs. The earlier of two matching kinds wins. */
const VOLATILE: readonly (readonly [kind: string, pattern: string])[] = [
  ['pem', '-----BEGIN [A-Z ]+-----.+?-----END [A-Z ]+-----(?:\\\\n)?'],
  ['time', '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)'],
  ['day', '\\d{4}-\\d\\d-\\d\\d'],
  ['uuid', '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'],
  // The path of a file begins with the first two bytes of its name.
  ['file', '(?<=/)[0-9a-f]{2}/[0-9a-f]{2}/(?=[\\w-]{20})[\\w-]+'],
  ['port', '(?<=(?:127\\.0\\.0\\.1|localhost|\\[::1\\]|%3A|example):|%3A)\\d{4,5}(?!\\d)'],
  // Test kits use addresses with a random part; their prefixes are searched for, in either case.
  ['address', '(?<=[?&]email=(?:alice|ALICE)-)[0-9a-fA-F]{1,6}|(?<=[a-z0-9]-)[0-9a-f]{6}(?=@example\\.)'],
  // The visible part of a link may end inside an id.
  ['link', '(?<=class=\\\\"invisible\\\\">)\\d+'],
  // Requires a digit and a letter of each case, or hexadecimal, so that words of a sentence do not match.
  ['key', '(?<![\\w-])(?=[\\w-]*\\d)(?=[\\w-]*[A-Za-z])[\\w-]{20,}={0,2}'],
  ['key', '(?<![\\w+/-])(?=[\\w+/-]*[A-Z])(?=[\\w+/-]*[a-z])(?=[\\w+/-]*\\d)[A-Za-z\\d+/]{40,}={0,2}'],
  ['hex', '(?<![0-9A-Za-z])(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{6,}(?![0-9A-Za-z])'],
  // Ids, and seconds since 1970.
  ['number', '(?<![\\w.])\\d{9,}(?:\\.\\d+)?(?!\\w)|\\d{15,}'],
];
const PATTERN = new RegExp(VOLATILE.map(([, pattern]) => `(${pattern})`).join('|'), 'g');

/**
 * Numbers the volatile values of request and body together, in order of appearance. The body is the text as it was sent:
 * the order of members counts.
 */
export function normalised({ request, status, type, body }: RecordedReply): RecordedReply {
  const names = new Map<string, string>();
  const replace = (text: string): string =>
    text.replace(PATTERN, (value: string, ...groups: unknown[]) => {
      const kind = VOLATILE[groups.findIndex((group) => group !== undefined)]?.[0] ?? '';
      // Two times may be equal in one run and differ in the next.
      if (kind === 'time' || kind === 'day') return `<${kind}>`;
      const known = [...names.values()].filter((name) => name.startsWith(`<${kind}`)).length;
      const name = names.get(value) ?? `<${kind}${known + 1}>`;
      names.set(value, name);
      return name;
    });
  return { request: replace(request), status, type, body: replace(body) };
}
