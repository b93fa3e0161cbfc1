import { normalised, type RecordedReply } from './normalised.ts';

/**
 * Lists the requests whose replies differ, each with a first example: `-` for a reply that only the first run
 * had. A test that polls sends a varying number of requests, and specs move between files, so the sets of
 * distinct replies are compared.
 */
export function differences(before: readonly RecordedReply[], after: readonly RecordedReply[]): string[] {
  const [old, fresh] = [byRequest(before), byRequest(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].sort().flatMap((request) => {
    const gone = [...(old.get(request) ?? [])].filter((text) => fresh.get(request)?.has(text) !== true);
    const added = [...(fresh.get(request) ?? [])].filter((text) => old.get(request)?.has(text) !== true);
    return gone.length + added.length > 0 ? [`${request}\n${example(gone, added)}`] : [];
  });
}

function byRequest(replies: readonly RecordedReply[]): Map<string, Set<string>> {
  const recording = new Map<string, Set<string>>();
  for (const reply of replies) {
    const { request, status, type, body } = normalised(reply);
    recording.set(request, (recording.get(request) ?? new Set()).add(`${status} ${type} ${body}`));
  }
  return recording;
}

/** Shows the most similar pair, from shortly before the first difference. */
function example([first, ...gone]: readonly string[], added: readonly string[]): string {
  const shared = (text: string): number => {
    let length = 0;
    while (length < text.length && text[length] === first?.[length]) length += 1;
    return length;
  };
  const closest = added.toSorted((a, b) => shared(b) - shared(a))[0];
  const start = first === undefined || closest === undefined ? 0 : Math.max(0, shared(closest) - 40);
  const line = (sign: string, text: string | undefined, more: number): string =>
    text === undefined
      ? `  ${sign} (none)`
      : `  ${sign} ${text.slice(start, start + 160)} (and ${more} more)`;
  return `${line('-', first, gone.length)}\n${line('+', closest, Math.max(0, added.length - 1))}`;
}
