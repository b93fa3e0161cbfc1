import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/**
 * Compares our schemas with the public OpenAPI document of Mastodon's API (abraham/mastodon-openapi), which
 * is not part of this repository: `MASTODON_OPENAPI` names the file; by default it is looked for beside the
 * repository.
 */

type Schema = z.core.JSONSchema.BaseSchema;

interface PublicDocument {
  paths: Record<
    string,
    Record<string, { responses?: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

/** Returns the names of all public entities, or null when the document is not available. */
export function publicEntityNames(): string[] | null {
  const document = publicDocument();
  return document && Object.keys(document.components.schemas);
}

/**
 * Returns the JSON schema of a successful reply, for a `path` in Express form; undefined when the document
 * has none, null when the document is not available.
 */
export function publicReplySchema(method: string, path: string): Schema | undefined | null {
  const document = publicDocument();
  if (!document) return null;
  const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const [, reply] =
    Object.entries(operation?.responses ?? {}).find(([status]) => status.startsWith('2')) ?? [];
  return reply?.content?.['application/json']?.schema;
}

/**
 * Lists the differences between our schema of an entity and the public one, as `member: how`: a member present
 * on one side only, a member that we may omit or set to null although the document forbids it, a type or value that
 * the document does not allow. Returns null when the document is not available.
 */
export function compareWithPublic(schema: z.ZodType, entityName: string): string[] | null {
  const document = publicDocument();
  if (!document) return null;
  const theirs = document.components.schemas[entityName];
  if (!theirs) throw new Error(`The public document has no ${entityName}`);
  const ours = z.toJSONSchema(z.object({ entity: schema }), { unrepresentable: 'any' });
  const entity = ours.properties?.['entity'];
  if (typeof entity !== 'object') throw new Error(`${entityName} has no JSON schema`);
  const comparison: Comparison = { ours: ours.$defs ?? {}, theirs: document.components.schemas };
  return members(comparison, dereference(comparison.ours, entity), theirs, '');
}

interface Comparison {
  ours: Record<string, Schema>;
  theirs: Record<string, Schema>;
}

let read: PublicDocument | null | undefined;

function publicDocument(): PublicDocument | null {
  if (read !== undefined) return read;
  const named = process.env['MASTODON_OPENAPI'];
  // Beside the repository, or beside the folder of its worktrees.
  const beside = ['../../..', '../../../..'].map((up) =>
    resolve(import.meta.dirname, up, 'shared/api/mastodon-openapi.json'),
  );
  const candidates = named ? [named] : beside;
  const file = candidates.find((candidate) => existsSync(candidate));
  read = file ? (JSON.parse(readFileSync(file, 'utf8')) as PublicDocument) : null;
  return read;
}

function members(comparison: Comparison, ours: Schema, theirs: Schema, prefix: string): string[] {
  const ourProperties = ours.properties ?? {};
  const theirProperties = theirs.properties ?? {};
  const extra = Object.keys(ourProperties).filter((name) => !(name in theirProperties));
  return [
    ...extra.map((name) => `${prefix}${name}: not in the public document`),
    ...Object.entries(theirProperties).flatMap(([name, property]) => {
      const own = ourProperties[name];
      if (typeof own !== 'object' || typeof property !== 'object') return [`${prefix}${name}: missing`];
      const optional = theirs.required?.includes(name) && !ours.required?.includes(name);
      return [
        ...(optional ? [`${prefix}${name}: optional, but required in public`] : []),
        ...values(comparison, own, property, `${prefix}${name}`),
      ];
    }),
  ];
}

/** Every form that our value can take must be one of the public forms. */
function values(comparison: Comparison, ours: Schema, theirs: Schema, place: string): string[] {
  const allowed = forms(comparison.theirs, theirs);
  return forms(comparison.ours, ours).flatMap((form) => {
    if (allowed.some((other) => form.entity !== undefined && form.entity === other.entity)) return [];
    const sameType = allowed.filter((other) => fits(form.schema.type, other.schema.type));
    if (form.schema.type === 'null' && sameType.length === 0)
      return [`${place}: null, but never null in public`];
    if (sameType.length === 0) return [`${place}: ${form.schema.type ?? 'any'}, but not in public`];
    const differences = sameType.map((other) => inner(comparison, form.schema, other.schema, place));
    return differences.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
}

function inner(comparison: Comparison, ours: Schema, theirs: Schema, place: string): string[] {
  if (ours.type === 'array' && isSchema(ours.items) && isSchema(theirs.items)) {
    return values(comparison, ours.items, theirs.items, `${place}[]`);
  }
  if (ours.type === 'object' && theirs.properties) return members(comparison, ours, theirs, `${place}.`);
  const own = ours.enum ?? (ours.const === undefined ? [] : [ours.const]);
  const unknown = theirs.enum ? own.filter((value) => !theirs.enum?.includes(value)) : [];
  if (unknown.length > 0) return [`${place}: ${unknown.join(', ')} not among the public values`];
  if (theirs.enum && own.length === 0) return [`${place}: any ${ours.type}, but public lists the values`];
  const otherFormat = ours.format && theirs.format && ours.format !== theirs.format;
  return otherFormat ? [`${place}: format ${ours.format}, ${theirs.format} in public`] : [];
}

interface Form {
  schema: Schema;
  /** Returns the name of the component, if the schema is one. */
  entity?: string;
}

/** Splits a schema into its alternatives, each of one type. */
function forms(components: Record<string, Schema>, schema: Schema): Form[] {
  const entity = schema.$ref?.split('/').at(-1);
  if (entity !== undefined) {
    return forms(components, dereference(components, schema)).map((form) => ({ entity, ...form }));
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return alternatives.filter(isSchema).flatMap((one) => forms(components, one));
  // The public document lists null among the types, and some enumerations name no type at all.
  const types: unknown = schema.type ?? (schema.enum ? 'string' : undefined);
  return [types].flat().map((type) => ({ schema: { ...schema, type } as Schema }));
}

const dereference = (components: Record<string, Schema>, schema: Schema): Schema =>
  components[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fits = (ours: unknown, theirs: unknown): boolean =>
  ours === theirs || theirs === undefined || (ours === 'integer' && theirs === 'number');
