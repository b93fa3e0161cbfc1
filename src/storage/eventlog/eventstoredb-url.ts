import { ConfigError } from '#config/config.ts';

/** The options of the connection string that the client knows, ignoring case, `_` and `-`. */
const OPTIONS = [
  'connectionname',
  'defaultdeadline',
  'discoveryinterval',
  'gossiptimeout',
  'keepaliveinterval',
  'keepalivetimeout',
  'maxdiscoverattempts',
  'nodepreference',
  'throwonappendfailure',
  'tls',
  'tlscafile',
  'usercertfile',
  'userkeyfile',
];

const malformed = (problem: string): ConfigError => new ConfigError([`EVENTSTORE_URL ${problem}`]);

/**
 * Returns the connection string in the client's scheme: KurrentDB speaks the same protocol under another
 * name. Refuses options that the client would ignore with a warning, because that warning prints the
 * password.
 * @throws ConfigError
 */
export function connectionString(url: string): string {
  const [, scheme = '', rest = ''] = /^(esdb|kurrentdb)((?:\+discover)?:\/\/.+)$/s.exec(url) ?? [];
  if (scheme === '')
    throw malformed('must begin with esdb://, esdb+discover://, kurrentdb:// or kurrentdb+discover://');
  const [server = '', options] = rest.slice(rest.indexOf('://') + 3).split(/\?(.*)/s);
  const credentials = server.lastIndexOf('@') === -1 ? undefined : server.slice(0, server.lastIndexOf('@'));
  if (credentials !== undefined && !/^[^:@]+:[^:@]+$/.test(credentials)) {
    throw malformed(
      'has a user or password with ":" or "@": write them as %3A and %40, and both of them as user:password@',
    );
  }
  for (const option of options?.split('&') ?? []) checkOption(option.split('=')[0] ?? '', option);
  return `esdb${rest}`;
}

function checkOption(name: string, option: string): void {
  const plain = name.trim().toLowerCase().replace(/[_-]/g, '');
  if (plain === 'tlsverifycert') {
    if (option.toLowerCase().endsWith('=true')) return;
    throw malformed('has tlsVerifyCert, which the client does not know: name the certificate by tlsCAFile');
  }
  if (!OPTIONS.includes(plain)) throw malformed(`has an unknown option "${name}"`);
}

/** Wraps the client's refusal of a connection string. */
export const unreadable = (error: unknown): ConfigError =>
  malformed(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);

/** Returns the same connection to the first server in the string, without discovery. */
export function firstServer(url: string): string {
  const [, credentials = '', servers = '', rest = ''] =
    /^esdb(?:\+discover)?:\/\/([^@?/]*@)?([^?/]*)(.*)$/s.exec(url) ?? [];
  return `esdb://${credentials}${servers.split(',')[0] ?? ''}${rest}`;
}
