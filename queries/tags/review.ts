/** SQL: true if staff have reviewed a hashtag (`tag` is an expression for its normal name). */
export const isReviewed = (tag: string): string =>
  `exists (select from tag_reviews rev where rev.tag = ${tag} and rev.trendable is not null)`;
