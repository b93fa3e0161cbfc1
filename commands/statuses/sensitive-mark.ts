/** A mark that staff put on a post. */
export interface SensitiveMark {
  /** The strikes that hold it. */
  strikeIds: readonly string[];
  /** The author's own choice. */
  sensitive: boolean;
}

/** Returns the mark without one strike, or without all where it is null; null when no strike holds it. */
export function markWithout(mark: SensitiveMark | null, strikeId: string | null): SensitiveMark | null {
  const left = strikeId === null ? [] : (mark?.strikeIds ?? []).filter((id) => id !== strikeId);
  return mark && left.length > 0 ? { ...mark, strikeIds: left } : null;
}
