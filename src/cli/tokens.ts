import { Command } from 'commander';
import { issueToken } from '#commands/accounts/index.ts';
import { ensureApplication } from '#commands/apps/index.ts';
import { findClient } from '#interfaces/oauth/clients.ts';
import { RookeryError } from '#kernel/errors.ts';
import { holds, scopeNames, splitScopes } from '#mastodon/scopes.ts';
import { accountNamed } from './account-named.ts';
import { asOperator, type Operator } from './operator.ts';
import { printResult } from './output.ts';

export function tokensCommand(): Command {
  const tokens = new Command('tokens').description('Make access tokens');
  tokens
    .command('create')
    .description('Make an access token for a local account; it stands alone on the last line')
    .argument('<name>', 'username, without @', (name) => name.replace(/^@/, ''))
    .requiredOption('--scopes <scopes>', 'what it may do, such as "read write follow push"')
    .option('--client-id <id>', 'the application that it belongs to; one of our own unless given')
    .action((name: string, options: TokenOptions) =>
      asOperator((operator) => create(operator, name, options)),
    );
  return tokens;
}

interface TokenOptions {
  scopes: string;
  clientId?: string;
}

/** Ids made from the time are never as low. */
const OUR_APPLICATION = '1';

async function create(operator: Operator, name: string, options: TokenOptions): Promise<void> {
  const { ctx, catchUp } = operator;
  const scopes = splitScopes(options.scopes);
  const unknown = scopes.find((scope) => !scopeNames.includes(scope));
  if (unknown !== undefined) throw new RookeryError('invalid', `There is no scope ${unknown}`);
  if (scopes.length === 0)
    throw new RookeryError('invalid', 'Say what the token may do: --scopes "read write"');
  const accountId = await accountNamed(operator, name);
  const applicationId = options.clientId ?? (await ourApplication(operator));
  await catchUp();
  if (options.clientId !== undefined) await requireScopes(operator, options.clientId, scopes);
  const token = await issueToken(ctx, { applicationId, accountId, scopes });
  printResult(token, { access_token: token, scope: scopes.join(' ') });
}

async function ourApplication({ ctx }: Operator): Promise<string> {
  await ensureApplication(ctx, {
    id: OUR_APPLICATION,
    name: 'rookery cli',
    website: null,
    redirect_uris: ['urn:ietf:wg:oauth:2.0:oob'],
    scopes: [...scopeNames],
  });
  return OUR_APPLICATION;
}

/** An application without a token is in no read model yet. */
async function requireScopes({ app }: Operator, clientId: string, scopes: readonly string[]): Promise<void> {
  const application = await findClient(app.db, clientId);
  if (!application)
    throw new RookeryError('not_found', `There is no application with the client id ${clientId}`);
  const missing = scopes.filter((scope) => !holds(application.scopes, scope));
  if (missing.length === 0) return;
  throw new RookeryError('invalid', `The application has not registered for: ${missing.join(' ')}`);
}
