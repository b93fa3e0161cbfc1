import type { StoredEvent } from '#storage/eventlog/port.ts';

/**
 * Returns the hashed form of a stored event: one line of JSON with these members in this order, without
 * spaces, as `JSON.stringify` writes it. `data` and `metadata` are the stored texts, byte by byte: personal
 * fields as ciphertext, so that destroying a key changes nothing here; the time of the event is in its
 * metadata. They are strings in the line, so no two events have the same one. An export contains these very
 * lines.
 */
export const leafOf = ({ position, stream, revision, id, type, data, metadata }: StoredEvent): string =>
  JSON.stringify({
    position: String(position),
    stream,
    revision,
    id: id.toLowerCase(),
    type,
    data,
    metadata,
  });

/** Returns the position at the start of a line of an export; undefined for any other line. */
export function positionIn(line: Buffer): bigint | undefined {
  const digits = /^\{"position":"([0-9]{1,20})",/.exec(line.toString('latin1', 0, 40))?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}
