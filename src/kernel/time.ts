/** The moment that is so many milliseconds after another one (before it, where they are negative), ISO 8601 both. */
export const timeAfter = (moment: string, milliseconds: number): string =>
  new Date(Date.parse(moment) + milliseconds).toISOString();
