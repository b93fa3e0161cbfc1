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

/** Returns an endpoint that works: a query reads the user's name, a command refuses a blank text and writes nothing yet. */
export const skeletonOf = (plan: Plan): Skeleton => (plan.kind === 'query' ? query(plan) : command(plan));

const query = ({ value, path, feature, name }: Plan): Skeleton => {
  const STATEMENT = snake(`${name}-${feature}`).toUpperCase();
  return {
    imports: [
      { names: ['z'], from: 'zod' },
      { names: ['endpoint'], from: 'src/kernel/endpoint.ts' },
      { names: ['statement'], from: 'src/kernel/read.ts' },
    ],
    code: `const ${STATEMENT} = statement('${snake(`${feature}-${name}`)}', 'select username from accounts where id = $1');

export const ${value} = endpoint({
  method: 'GET',
  path: '${path}',
  summary: 'View your username',
  auth: 'user',
  scopes: ['read:accounts'],
  reply: z.strictObject({ username: z.string() }),
  handler: async (ctx) => {
    const [row] = await ctx.db.query<{ username: string }>(${STATEMENT}, [ctx.viewer.account_id]);
    return { json: { username: row?.username ?? '' } };
  },
});
`,
  };
};

const command = ({ value, path, feature }: Plan): Skeleton => ({
  imports: [
    { names: ['z'], from: 'zod' },
    { names: ['accountStream'], from: 'src/events/accounts.ts' },
    { names: ['AccountEvent'], from: 'src/events/accounts.ts', type: true },
    { names: ['endpoint'], from: 'src/kernel/endpoint.ts' },
    { names: ['invalid'], from: 'src/kernel/errors.ts' },
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
  body: z.object({ text: z.string().max(500).describe('The text.') }),
  reply: z.strictObject({ text: z.string() }),
  handler: async (ctx, { body: { text } }) => {
    await ctx.execute(accountStream(ctx.viewer.account_id), account, (state) => {
      requireUser(state);
      return ${camel(`decide-${value}`)}(text);
    });
    return { json: { text } };
  },
});

/** Pure. Returns no event yet. @throws RookeryError \`invalid\` when the text is blank */
export function ${camel(`decide-${value}`)}(text: string): AccountEvent[] {
  if (text.trim() === '') throw invalid("Validation failed: Text can't be blank");
  return [];
}
`,
});

/** Returns the spec of a skeleton. */
export const specOf = ({ kind, path }: Plan): string => `import { expect } from 'chai';
import { describeTown, ok } from '../support/people.ts';

describeTown('${path}', (town) => {
  it('refuses a caller without a token', async () => {
    expect((await town.nobody.${kind === 'query' ? 'get' : 'post'}('${path}')).status).to.equal(401);
  });
${kind === 'query' ? QUERY_SPEC(path) : COMMAND_SPEC(path)}});
`;

const QUERY_SPEC = (path: string): string => `
  it('returns the name of the user', async () => {
    const alice = await town.person('alice');
    expect(await ok(alice.get('${path}'))).to.deep.equal({ username: 'alice' });
  });

  it('refuses a token without the scope', async () => {
    const writer = await (await town.person('bob')).withScopes('write');
    expect((await writer.get('${path}')).status).to.equal(403);
  });
`;

const COMMAND_SPEC = (path: string): string => `
  it('returns the text', async () => {
    const alice = await town.person('alice');
    expect(await ok(alice.post('${path}', { text: 'hello' }))).to.deep.equal({ text: 'hello' });
  });

  it('refuses a blank text', async () => {
    const bob = await town.person('bob');
    expect((await bob.post('${path}', { text: ' ' })).status).to.equal(422);
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
