import type { z } from 'zod';

/** A part of a schema and its path, such as `fields_attributes[].name`. */
export interface SchemaPart {
  path: string;
  schema: z.core.$ZodType;
}

/** Yields the schema and all its parts, through optional, default, catch, unions and pipes. */
export function* partsOf(root: z.ZodType, path = ''): Generator<SchemaPart> {
  yield* walk(root, path);
}

function* walk(schema: z.core.$ZodType, path: string): Generator<SchemaPart> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      yield* walkObject({ path, schema }, def.shape);
      return;
    case 'array':
      yield { path, schema };
      yield* walk(def.element, `${path}[]`);
      return;
    case 'union':
      for (const option of def.options) yield* walk(option, path);
      return;
    case 'pipe':
      yield* walk(def.in, path);
      yield* walk(def.out, path);
      return;
    case 'transform':
      // A function does not describe its input; the other end of its pipe does.
      return;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      yield* walk(def.innerType, path);
      return;
    default:
      yield { path, schema };
  }
}

function* walkObject(part: SchemaPart, shape: Readonly<z.core.$ZodShape>): Generator<SchemaPart> {
  const { path } = part;
  if (path !== '') yield part;
  for (const [name, inner] of Object.entries(shape))
    yield* walk(inner, path === '' ? name : `${path}.${name}`);
}

/** Explains why a part accepts unbounded input; undefined when it does not. */
export function unboundedness({ schema }: SchemaPart): string | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return checksOf(def).some(boundsText) ? undefined : 'a text without a maximum';
    case 'array':
      return checksOf(def).some(isMaximum) ? undefined : 'a list without a bound';
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'null':
    case 'undefined':
    case 'enum':
    case 'literal':
    case 'date':
    case 'object':
      return undefined;
    default:
      return `a ${def.type}, of any size`;
  }
}

/** The parts of a check that matter here. */
interface Check {
  check?: string;
  pattern?: RegExp | undefined;
}

/** A format such as `z.iso.date()` is itself a check. */
const checksOf = (def: z.core.$ZodTypeDef): Check[] => [
  def as Check,
  ...(def.checks ?? []).map((check) => check._zod.def as Check),
];

const isMaximum = ({ check }: Check): boolean => check === 'max_length' || check === 'length_equals';
const boundsText = (check: Check): boolean =>
  isMaximum(check) || (check.pattern !== undefined && isBounded(check.pattern));

/** A pattern over the whole text without unbounded repetition. */
const isBounded = ({ source }: RegExp): boolean =>
  source.startsWith('^') &&
  source.endsWith('$') &&
  !/[*+]|,\}/.test(source.replaceAll(/\\.|\[[^\]]*\]/g, ''));
