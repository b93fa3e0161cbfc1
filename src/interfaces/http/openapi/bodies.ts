import type { DescribedEndpoint } from './described.ts';
import { type JsonSchema, mapValues } from './schemas.ts';

const MULTIPART = 'multipart/form-data';
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', MULTIPART];

/** Adds the names that the handler requires to those that the schema requires. */
function withRequired(schema: JsonSchema, requires: NonNullable<DescribedEndpoint['requires']>): JsonSchema {
  const names = requires.filter((each) => typeof each === 'string');
  const required = [...new Set([...(schema.required ?? []), ...names])];
  const anyOf = requires
    .flatMap((each) => (typeof each === 'string' ? [] : each))
    .map((name) => ({ required: [name] }));
  return { ...schema, ...(required.length > 0 ? { required } : {}), ...(anyOf.length > 0 ? { anyOf } : {}) };
}

/** Files come in multipart bodies only; a body with a required file has no other form. */
export function requestBody(
  given: JsonSchema,
  { requires = [], files: { fields: files } = { fields: {} } }: DescribedEndpoint,
) {
  const schema = withRequired(given, requires);
  const requiredFiles = Object.keys(files).filter((name) => files[name]?.required);
  const required = [...(schema.required ?? []), ...requiredFiles];
  const withFiles: JsonSchema = {
    ...schema,
    properties: {
      ...schema.properties,
      ...mapValues(files, ({ description }) => ({ type: 'string' as const, format: 'binary', description })),
    },
    ...(required.length > 0 ? { required } : {}),
  };
  const types = requiredFiles.length > 0 ? [MULTIPART] : BODY_TYPES;
  return {
    required: required.length > 0 || schema.anyOf !== undefined,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: type === MULTIPART ? withFiles : schema }]),
    ),
  };
}
