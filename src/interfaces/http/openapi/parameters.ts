import type { JsonSchema } from './schemas.ts';

/** A parameter in the path of an endpoint, in the form of Express. */
export const PARAMETER = /:([A-Za-z_]+)/g;

export function pathParameters(path: string, schema: JsonSchema | undefined) {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describedBy(schema?.properties?.[name]),
    schema: schema?.properties?.[name] ?? { type: 'string' },
  }));
}

export function queryParameters(schema: JsonSchema | undefined) {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const isList = isArray(property);
    return {
      name: isList ? `${name}[]` : name,
      in: 'query',
      required: schema?.required?.includes(name) ?? false,
      ...describedBy(property),
      schema: property,
      ...(isList ? { style: 'form', explode: true } : {}),
    };
  });
}

/** Copies the description of a parameter, which tools look for beside its schema. */
const describedBy = (schema: JsonSchema | boolean | undefined): { description?: string } =>
  typeof schema === 'object' && schema.description !== undefined ? { description: schema.description } : {};

const isArray = (schema: JsonSchema | boolean): boolean =>
  typeof schema === 'object' && (schema.type === 'array' || (schema.anyOf ?? []).some(isArray));
