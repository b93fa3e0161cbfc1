import { formBoolean } from '#kernel/input.ts';

/** A parameter of decisions about a report, of which several members of staff may take one at the same time. */
export const ifUnresolved = {
  if_unresolved: formBoolean
    .optional()
    .describe(
      'Whether the request is refused with 409, and changes nothing, when the report is resolved already; false by default.',
    ),
};
