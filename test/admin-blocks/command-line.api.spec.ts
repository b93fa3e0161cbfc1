import { expect } from 'chai';
import type { AdminDomainBlock, AdminIpBlock } from '#mastodon/schemas/index.ts';
import { type Result, rookeryBeside } from '../support/command-line.ts';
import { describeTown, type Person } from '../support/people.ts';

describeTown('Blocking from the command line beside a running server', function (town) {
  this.timeout(90_000);
  let admin: Person;
  before(async () => {
    admin = await town.staff('admin', 'Admin');
  });

  const rookery = (...args: string[]): Promise<Result> => rookeryBeside(town.app, ...args);
  const listed = async <Entity>(name: string): Promise<Entity[]> => {
    const { status, json } = await admin.get<Entity[]>(`/api/v1/admin/${name}`);
    expect(status).to.equal(200);
    return json;
  };

  it('blocks domains in their normal form, changes blocks and lifts them', async () => {
    const blocked = await rookery(
      ...['domains', 'block', 'Bad.Example.', 'bad.example', 'bücher.example', 'no domain'],
      ...['--severity', 'suspend', '--reject-reports', '--public-comment', ' Spam '],
    );
    expect(blocked.code).to.equal(1);
    expect(blocked.stdout).to.equal('Blocked 3, skipped 0, failed 1\n');
    expect(blocked.stderr).to.equal('no domain: Validation failed: Domain is not a valid domain name\n');
    const rules = async () =>
      (await listed<AdminDomainBlock>('domain_blocks')).map(
        ({ domain, severity, reject_media, reject_reports, public_comment }) => [
          ...[domain, severity, reject_media, reject_reports, public_comment],
        ],
      );
    expect(await rules()).to.deep.equal([
      ['xn--bcher-kva.example', 'suspend', false, true, 'Spam'],
      ['bad.example', 'suspend', false, true, 'Spam'],
    ]);
    // A weaker block of a subdomain is skipped. A block of the same domain changes only in the given options.
    const changed = await rookery(
      ...['domains', 'block', 'x.bad.example', 'bad.example'],
      ...['--severity', 'silence', '--reject-media', '--no-reject-reports'],
    );
    expect(changed).to.deep.equal({
      code: 0,
      stdout: 'Blocked 1, skipped 1, failed 0\n',
      stderr: 'x.bad.example: You have already imposed stricter limits on bad.example.\n',
    });
    expect((await rookery('domains', 'blocks')).stdout).to.equal(
      'bad.example\tsilence\tmedia\tSpam\nxn--bcher-kva.example\tsuspend\treports\tSpam\n',
    );
    expect(await rookery('domains', 'unblock', 'BAD.example', 'never.example')).to.deep.equal({
      code: 0,
      stdout: 'Unblocked 1, skipped 1, failed 0\n',
      stderr: 'never.example: is not blocked\n',
    });
    expect((await rules()).map(([domain]) => domain)).to.deep.equal(['xn--bcher-kva.example']);
  });

  it('allows domains and removes them again', async () => {
    expect((await rookery('domains', 'allow', 'good.example', 'Fine.example')).stdout).to.equal(
      'Allowed 2, skipped 0, failed 0\n',
    );
    expect((await rookery('domains', 'unallow', 'good.example', 'other.example')).stdout).to.equal(
      'Unallowed 1, skipped 1, failed 0\n',
    );
    expect((await rookery('domains', 'allows')).stdout).to.equal('fine.example\n');
  });

  it('blocks e-mail domains once', async () => {
    expect((await rookery('email-domain-blocks', 'add', 'junk.example', 'trash.example')).stdout).to.equal(
      'Added 2, skipped 0, failed 0\n',
    );
    expect(await rookery('email-domain-blocks', 'add', 'JUNK.example')).to.deep.equal({
      code: 0,
      stdout: 'Added 0, skipped 1, failed 0\n',
      stderr: 'JUNK.example: is blocked already\n',
    });
    expect(
      (await rookery('email-domain-blocks', 'remove', 'trash.example', 'trash.example')).stdout,
    ).to.equal('Removed 1, skipped 0, failed 0\n');
    expect((await rookery('email-domain-blocks', 'list')).stdout).to.equal('junk.example\n');
  });

  it('blocks IP addresses for a time or for ever, and exports the blocks', async () => {
    const add = (severity: string, ...rest: string[]) =>
      rookery('ip-blocks', 'add', ...rest, '--severity', severity);
    expect((await add('no_access', '192.0.2.7/24', '2001:db8::1', '--comment', 'Scrapes')).stdout).to.equal(
      'Added 2, skipped 0, failed 0\n',
    );
    expect((await add('sign_up_block', '198.51.100.1', '--duration', '3600')).code).to.equal(0);
    const again = await add('sign_up_block', '192.0.2.0/24', 'nowhere');
    expect([again.code, again.stdout]).to.deep.equal([1, 'Added 0, skipped 1, failed 1\n']);
    expect(again.stderr).to.match(
      /^192\.0\.2\.0\/24: is blocked already\nnowhere: Validation failed: Ip is invalid\n$/,
    );
    const blocks = async () => await listed<AdminIpBlock>('ip_blocks');
    expect((await blocks()).map(({ ip, severity, comment }) => [ip, severity, comment])).to.deep.equal([
      ['198.51.100.1/32', 'sign_up_block', ''],
      ['2001:db8::1/128', 'no_access', 'Scrapes'],
      ['192.0.2.0/24', 'no_access', 'Scrapes'],
    ]);
    const [timed] = await blocks();
    const left = Date.parse(timed?.expires_at ?? '') - Date.parse(timed?.created_at ?? '');
    expect(left).to.equal(3_600_000);
    expect((await rookery('ip-blocks', 'list')).stdout.split('\n')[0]).to.equal(
      '192.0.2.0/24\tno_access\t-\tScrapes',
    );
    expect((await rookery('ip-blocks', 'export', '--format', 'nginx')).stdout).to.equal(
      'deny 192.0.2.0/24;\ndeny 2001:db8::1/128;\n',
    );
  });

  it('changes IP blocks with --force, and lifts the blocks that cover an address', async () => {
    const forced = await rookery(
      ...['ip-blocks', 'add', '2001:db8::1', '--severity', 'sign_up_block', '--force'],
    );
    expect(forced.stdout).to.equal('Added 1, skipped 0, failed 0\n');
    expect(await rookery('ip-blocks', 'remove', '192.0.2.9')).to.deep.equal({
      code: 0,
      stdout: 'Removed 0, skipped 1, failed 0\n',
      stderr: '192.0.2.9: is not blocked\n',
    });
    expect((await rookery('ip-blocks', 'remove', '192.0.2.9', '198.51.100.1', '--force')).stdout).to.equal(
      'Removed 2, skipped 0, failed 0\n',
    );
    expect((await listed<AdminIpBlock>('ip_blocks')).map(({ ip, severity }) => [ip, severity])).to.deep.equal(
      [['2001:db8::1/128', 'sign_up_block']],
    );
  });

  it('reports a missing option', async () => {
    const { code, stderr } = await rookery('ip-blocks', 'add', '192.0.2.1');
    expect([code, stderr]).to.deep.equal([
      64,
      "error: required option '--severity <severity>' not specified\n",
    ]);
  });
});
