/** Whether staff has said of a hashtag (`tag` is an SQL expression for its normal name) what it thinks. */
export const isReviewed = (tag: string): string =>
  `exists (select from tag_reviews rev where rev.tag = ${tag} and rev.trendable is not null)`;
