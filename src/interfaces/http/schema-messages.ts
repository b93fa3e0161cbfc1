import type { z } from 'zod';
import { attributeLabel } from '#kernel/attribute-label.ts';

/**
 * The messages of Rails in place of the schema library's, because clients of Mastodon show them. A message
 * that a schema declares has precedence.
 */
export const RAILS_MESSAGES = { error: messageOf };

/**
 * Returns the name of an input field without the indexes of lists: `poll.options.0` becomes "Poll options".
 */
export const labelOfPath = (path: readonly PropertyKey[]): string =>
  attributeLabel(path.filter((key): key is string => typeof key === 'string').join('_'));

function messageOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return 'is not included in the list';
    case 'too_big':
      return issue.origin === 'string'
        ? `is too long (maximum is ${issue.maximum} characters)`
        : issue.origin === 'array'
          ? `is too long (maximum is ${issue.maximum} items)`
          : `must be less than or equal to ${issue.maximum}`;
    case 'too_small':
      return issue.origin === 'string'
        ? issue.minimum === 1
          ? "can't be blank"
          : `is too short (minimum is ${issue.minimum} characters)`
        : issue.origin === 'array'
          ? `is too short (minimum is ${issue.minimum} items)`
          : `must be greater than or equal to ${issue.minimum}`;
    default:
      return 'is invalid';
  }
}
