import { specifierFrom } from '../lint/room-paths.js';
import { camel, type Plan, snake } from './skeleton-names.ts';

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
 * Returns an endpoint that works: a query reads the user's name, a command refuses a blank text and writes nothing yet. One
 * about one thing replies with its id as well.
 */
export const skeletonOf = (plan: Plan): Skeleton => (plan.kind === 'query' ? query(plan) : command(plan));

const isOfOne = ({ path }: Plan): boolean => path.includes('/:id/');

const query = (plan: Plan): Skeleton => {
  const { value, path, feature, name } = plan;
  const ofOne = isOfOne(plan);
  const STATEMENT = snake(`${name}-${feature}`).toUpperCase();
  return {
    imports: [
      { names: ['z'], from: 'zod' },
      { names: ['endpoint'], from: 'src/kernel/endpoint.ts' },
      ...(ofOne ? [ID_PARAMS] : []),
      { names: ['statement'], from: 'src/kernel/read.ts' },
    ],
    code: `const ${STATEMENT} = statement<{ username: string }>('${snake(`${feature}-${name}`)}', 'select username from accounts where id = $1');

export const ${value} = endpoint({
  method: 'GET',
  path: '${path}',
  summary: 'View your username',
  auth: 'user',
  scopes: ['read:accounts'],
  ${ofOne ? 'params: idParams,' : ''}
  reply: z.strictObject({ ${ofOne ? 'id: z.string(), ' : ''}username: z.string() }),
  handler: async (ctx${ofOne ? ', { params: { id } }' : ''}) => {
    const [row] = await ctx.db.query(${STATEMENT}, [ctx.viewer.account_id]);
    return { json: { ${ofOne ? 'id, ' : ''}username: row?.username ?? '' } };
  },
});
`,
  };
};

const ID_PARAMS: Needed = { names: ['idParams'], from: 'src/kernel/input.ts' };

const command = (plan: Plan): Skeleton => {
  const { value, path, feature } = plan;
  const ofOne = isOfOne(plan);
  return {
    imports: [
      { names: ['z'], from: 'zod' },
      { names: ['accountStream'], from: 'src/events/accounts.ts' },
      { names: ['AccountEvent'], from: 'src/events/accounts.ts', type: true },
      { names: ['endpoint'], from: 'src/kernel/endpoint.ts' },
      { names: ['invalid'], from: 'src/kernel/errors.ts' },
      ...(ofOne ? [ID_PARAMS] : []),
      {
        names: ['account', 'requireUser'],
        from: `commands/accounts/${feature === 'accounts' ? 'account' : 'index'}.ts`,
      },
    ],
    code: `export const ${value} = endpoint({
  method: 'POST',
  path: '${path}',
  summary: 'Send a text',
  auth: 'user',
  scopes: ['write:accounts'],
  ${ofOne ? 'params: idParams,' : ''}
  body: z.object({ text: z.string().max(500).describe('The text.') }),
  reply: z.strictObject({ ${ofOne ? 'id: z.string(), ' : ''}text: z.string() }),
  handler: async (ctx, { ${ofOne ? 'params: { id }, ' : ''}body: { text } }) => {
    await ctx.execute(accountStream(ctx.viewer.account_id), account, (state) => {
      requireUser(state);
      return ${camel(`decide-${value}`)}(text);
    });
    return { json: { ${ofOne ? 'id, ' : ''}text } };
  },
});

/** Pure. Returns no event yet. @throws RookeryError \`invalid\` when the text is blank */
export function ${camel(`decide-${value}`)}(text: string): AccountEvent[] {
  if (text.trim() === '') throw invalid("Validation failed: Text can't be blank");
  return [];
}
`,
  };
};

/** An id of a thing, as the spec of an endpoint about one thing sends it. */
const AN_ID = '1';

/** Returns the spec of a skeleton. */
export function specOf(plan: Plan): string {
  const { kind, path } = plan;
  const address = path.replace(':id', AN_ID);
  const id = isOfOne(plan) ? `id: '${AN_ID}', ` : '';
  return `import { expect } from 'chai';
import { describeTown, ok } from '../support/people.ts';

describeTown('${path}', (town) => {
  it('refuses a caller without a token', async () => {
    expect((await town.nobody.${kind === 'query' ? 'get' : 'post'}('${address}')).status).to.equal(401);
  });
${kind === 'query' ? querySpec(address, id) : commandSpec(address, id)}});
`;
}

const querySpec = (address: string, id: string): string => `
  it('returns the name of the user', async () => {
    const alice = await town.person('alice');
    expect(await ok(alice.get('${address}'))).to.deep.equal({ ${id}username: 'alice' });
  });

  it('refuses a token without the scope', async () => {
    const writer = await (await town.person('bob')).withScopes('write');
    expect((await writer.get('${address}')).status).to.equal(403);
  });
`;

const commandSpec = (address: string, id: string): string => `
  it('returns the text', async () => {
    const alice = await town.person('alice');
    expect(await ok(alice.post('${address}', { text: 'hello' }))).to.deep.equal({ ${id}text: 'hello' });
  });

  it('refuses a blank text', async () => {
    const bob = await town.person('bob');
    expect((await bob.post('${address}', { text: ' ' })).status).to.equal(422);
  });
`;

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
