/** A mark by staff on a post. */
export interface SensitiveMark {
  /** The strikes behind it. */
  strikeIds: readonly string[];
  /** The author's own setting. */
  sensitive: boolean;
}

/** Returns the mark without one strike, or without all for null; null when no strike is left. */
export function markWithout(mark: SensitiveMark | null, strikeId: string | null): SensitiveMark | null {
  const left = strikeId === null ? [] : (mark?.strikeIds ?? []).filter((id) => id !== strikeId);
  return mark && left.length > 0 ? { ...mark, strikeIds: left } : null;
}
