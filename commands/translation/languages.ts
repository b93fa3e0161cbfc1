/** Which languages of the translator stand for the ones that are meant; undefined when it cannot do this pair. */
export function languagePair(
  pairs: ReadonlyMap<string, readonly string[]>,
  source: string | null,
  target: string,
): { source: string | null; target: string } | undefined {
  const found = source === null ? 'und' : match([...pairs.keys()], source);
  const targets = found === undefined ? undefined : pairs.get(found);
  const into = targets && match(targets, target);
  if (found === undefined || into === undefined) return undefined;
  return { source: found === 'und' ? null : found, target: into };
}

/** The language itself, or without its region: `de` for `de-AT`; or the first region for one without: `en-GB` for `en`. */
function match(known: readonly string[], wanted: string): string | undefined {
  const base = baseOf(wanted);
  return (
    known.find((each) => each.toLowerCase() === wanted.toLowerCase()) ??
    known.find((each) => each.toLowerCase() === base) ??
    (wanted.toLowerCase() === base ? known.find((each) => baseOf(each) === base) : undefined)
  );
}

const baseOf = (language: string): string => (language.split(/[-_]/)[0] ?? '').toLowerCase();
