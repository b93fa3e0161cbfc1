import { specifierFrom } from '../lint/room-paths.js';
import { type Plan, statementOf } from './skeleton-names.ts';
import { camel } from './skeleton-words.ts';

/** Names to import from a module, whose path is from the root or the name of a package. */
export interface Needed {
  names: readonly string[];
  from: string;
  type?: true;
}

/** An endpoint as source text, with what it imports. */
export interface Skeleton {
  imports: readonly Needed[];
  code: string;
}

/**
 * Returns an endpoint that works: a query reads the user's name, a command refuses a blank text and writes nothing yet, and a
 * DELETE only replies. One about one thing replies with its id as well.
 */
export const skeletonOf = (plan: Plan): Skeleton => (plan.kind === 'query' ? query(plan) : command(plan));

const isOfOne = ({ path }: Plan): boolean => path.includes('/:id');
/** Tells whether the skeleton takes a text. */
export const takesBody = ({ method }: Plan): boolean => method !== 'GET' && method !== 'DELETE';

/** Joins the lines of a declaration, without those that are not needed. */
const lines = (...each: readonly (string | false)[]): string =>
  each.filter((line) => line !== false).join('\n');

/** Returns the first members of an endpoint. */
const declared = ({ method, path, staff }: Plan, summary: string, scope: string): string =>
  lines(
    `  method: '${method}',`,
    `  path: '${path}',`,
    `  summary: '${summary}',`,
    `  auth: 'user',`,
    `  scopes: ['${staff?.scope ?? scope}'],`,
    staff !== undefined && `  permission: '${staff.permission}',`,
  );

const ID_PARAMS: Needed = { names: ['idParams'], from: 'src/kernel/input.ts' };

const query = (plan: Plan): Skeleton => {
  const { value } = plan;
  const ofOne = isOfOne(plan);
  const statement = statementOf(value);
  const STATEMENT = statement.toUpperCase();
  return {
    imports: [
      { names: ['z'], from: 'zod' },
      { names: ['endpoint'], from: 'src/kernel/endpoint.ts' },
      ...(ofOne ? [ID_PARAMS] : []),
      { names: ['statement'], from: 'src/kernel/read.ts' },
    ],
    code: lines(
      `const ${STATEMENT} = statement<{ username: string }>('${statement}', 'select username from accounts where id = $1');`,
      '',
      `export const ${value} = endpoint({`,
      declared(plan, 'View your username', 'read:accounts'),
      ofOne && '  params: idParams,',
      `  reply: z.strictObject({ ${ofOne ? 'id: z.string(), ' : ''}username: z.string() }),`,
      `  handler: async (ctx${ofOne ? ', { params: { id } }' : ''}) => {`,
      `    const [row] = await ctx.db.query(${STATEMENT}, [ctx.viewer.account_id]);`,
      `    return { json: { ${ofOne ? 'id, ' : ''}username: row?.username ?? '' } };`,
      '  },',
      '});',
      '',
    ),
  };
};

const command = (plan: Plan): Skeleton => {
  const { value, feature } = plan;
  const [ofOne, body] = [isOfOne(plan), takesBody(plan)];
  const decide = camel(`decide-${value}`);
  const input = [...(ofOne ? ['params: { id }'] : []), ...(body ? ['body: { text }'] : [])].join(', ');
  const fields = [...(ofOne ? ['id'] : []), ...(body ? ['text'] : [])];
  return {
    imports: [
      { names: ['z'], from: 'zod' },
      { names: ['accountStream'], from: 'src/events/accounts.ts' },
      { names: ['AccountEvent'], from: 'src/events/accounts.ts', type: true },
      { names: ['endpoint'], from: 'src/kernel/endpoint.ts' },
      ...(body ? [{ names: ['invalid'], from: 'src/kernel/errors.ts' }] : []),
      ...(ofOne ? [ID_PARAMS] : []),
      {
        names: ['account', 'requireUser'],
        from: `commands/accounts/${feature === 'accounts' ? 'account' : 'index'}.ts`,
      },
    ],
    code: lines(
      `export const ${value} = endpoint({`,
      declared(plan, body ? 'Send a text' : 'Remove a thing', 'write:accounts'),
      ofOne && '  params: idParams,',
      body && "  body: z.object({ text: z.string().max(500).describe('The text.') }),",
      `  reply: z.strictObject({ ${fields.map((field) => `${field}: z.string()`).join(', ')} }),`,
      `  handler: async (ctx${input === '' ? '' : `, { ${input} }`}) => {`,
      '    await ctx.execute(accountStream(ctx.viewer.account_id), account, (state) => {',
      '      requireUser(state);',
      `      return ${decide}(${body ? 'text' : ''});`,
      '    });',
      `    return { json: { ${fields.join(', ')} } };`,
      '  },',
      '});',
      '',
      body
        ? '/** Pure. Returns no event yet. @throws RookeryError `invalid` when the text is blank */'
        : '/** Pure. Returns no event yet. */',
      `export function ${decide}(${body ? 'text: string' : ''}): AccountEvent[] {`,
      body && `  if (text.trim() === '') throw invalid("Validation failed: Text can't be blank");`,
      '  return [];',
      '}',
      '',
    ),
  };
};

/** Returns the text with these names imported, in the import of the same module where there is one. */
export function withImports(text: string, file: string, needed: readonly Needed[]): string {
  return needed.reduceRight((before, { names, from, type }) => {
    const module = /^(src|commands|queries)\//.test(from) ? specifierFrom(file, from) : from;
    const start = `import ${type ? 'type ' : ''}{`;
    const existing = new RegExp(`^${start}([^}]*)} from '${module.replaceAll('.', '\\.')}';`, 'm').exec(
      before,
    );
    const present = (existing?.[1] ?? '').split(',').flatMap((name) => name.trim() || []);
    const all = [...new Set([...present, ...names])].join(', ');
    const line = `${start} ${all} } from '${module}';`;
    return existing ? before.replace(existing[0], line) : `${line}\n${before}`;
  }, text);
}
