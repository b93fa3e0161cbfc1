import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Converts all schemas at once, so that a schema with an id appears once. Input and output of the same id
 * differ in coercions only; the description of the output wins.
 */
export function convert(io: 'input' | 'output', schemas: readonly (z.ZodType | undefined)[]) {
  const shape = Object.fromEntries(
    schemas.flatMap((schema, index) => (schema ? [[`s${index}`, schema]] : [])),
  );
  const { $defs = {}, properties = {} } = z.toJSONSchema(z.object(shape), {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  return {
    components: mapValues($defs, withComponentRefs),
    schemas: schemas.map((_, index) => withComponentRefs(properties[`s${index}`]) as JsonSchema | undefined),
  };
}

/** Removes the pattern of a named format, and the bounds of safe integers, which tell a reader nothing. */
function tidy(schema: JsonSchema): void {
  if (schema.format) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  delete schema.id;
}

/** Returns a copy with references in the form of OpenAPI. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace(/^#\/\$defs\//, '#/components/schemas/')]
        : [key, withComponentRefs(inner)],
    ),
  );
}

export const mapValues = <Value, Result>(record: Record<string, Value>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
