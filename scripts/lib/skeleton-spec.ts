import { takesBody } from './skeleton.ts';
import type { Plan } from './skeleton-names.ts';

/** An id of a thing, as the spec of an endpoint about one thing sends it. */
const AN_ID = '1';

/** Returns the file of the spec, from the root. */
export const specFile = ({ feature, name }: Plan): string =>
  `test/${feature.replace('/', '-')}/${name}.api.spec.ts`;

/** Returns the spec of a skeleton. */
export function specOf(plan: Plan): string {
  const address = plan.path.replace(':id', AN_ID);
  const send = (who: string, body = ''): string => `${who}.${plan.method.toLowerCase()}('${address}'${body})`;
  const tests = [
    // Mastodon checks the scope of staff first, and a stranger has none.
    refusal('a caller without a token', send('town.nobody'), plan.staff ? 403 : 401),
    reply(plan, send),
    plan.kind === 'query'
      ? narrowScope(plan, send('writer'), 'write')
      : takesBody(plan)
        ? blank(plan, send)
        : narrowScope(plan, send('reader'), 'read'),
    plan.staff ? refusal('a user without the permission', send("(await town.person('carol'))"), 403) : '',
  ];
  return `import { expect } from 'chai';
import { describeTown, ok } from '../support/people.ts';

describeTown('${plan.method} ${plan.path}', (town) => {
${tests.filter((test) => test !== '').join('\n')}});
`;
}

type Send = (who: string, body?: string) => string;

/** Returns an expression that makes a user who may call the endpoint. */
const user = ({ staff }: Plan, name: string): string =>
  staff ? `town.staff('${name}', 'Owner')` : `town.person('${name}')`;

const refusal = (
  title: string,
  sent: string,
  status: number,
): string => `  it('refuses ${title}', async () => {
    expect((await ${sent}).status).to.equal(${status});
  });
`;

function reply(plan: Plan, send: Send): string {
  const id = plan.path.includes('/:id') ? [`id: '${AN_ID}'`] : [];
  const rest = plan.kind === 'query' ? ["username: 'alice'"] : takesBody(plan) ? ["text: 'hello'"] : [];
  const title =
    plan.kind === 'query' ? 'returns the name of the user' : takesBody(plan) ? 'returns the text' : 'replies';
  const body = takesBody(plan) ? ", { text: 'hello' }" : '';
  return `  it('${title}', async () => {
    const alice = await ${user(plan, 'alice')};
    expect(await ok(${send('alice', body)})).to.deep.equal({ ${[...id, ...rest].join(', ')} });
  });
`;
}

const narrowScope = (
  plan: Plan,
  sent: string,
  scope: string,
): string => `  it('refuses a token without the scope', async () => {
    const ${scope === 'read' ? 'reader' : 'writer'} = await (await ${user(plan, 'bob')}).withScopes('${scope}');
    expect((await ${sent}).status).to.equal(403);
  });
`;

const blank = (plan: Plan, send: Send): string => `  it('refuses a blank text', async () => {
    const bob = await ${user(plan, 'bob')};
    expect((await ${send('bob', ", { text: ' ' }")}).status).to.equal(422);
  });
`;
