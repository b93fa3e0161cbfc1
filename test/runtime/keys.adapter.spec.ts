import { createPublicKey, sign, verify } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import webPush from 'web-push';
import { ConfigError, loadConfig } from '#config/config.ts';
import { replaceKeys, rotatedText, rotationOf } from '#config/key-rotation.ts';
import { type Keys, loadOrCreateKeys } from '#config/keys.ts';
import { MasterKey } from '#kernel/master-key.ts';

describe('The keys of the instance', () => {
  let dataDir: string;

  const load = (env: Record<string, string> = {}): Promise<Keys> =>
    loadOrCreateKeys(dataDir, loadConfig(env).secrets);

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'rookery-keys-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('are created at the first start, readable by their owner only, and found again', async () => {
    const keys = await load();
    expect(await readdir(dataDir)).to.deep.equal(['keys.json']);
    expect((await stat(join(dataDir, 'keys.json'))).mode & 0o777).to.equal(0o600);
    expect(await load()).to.deep.equal(keys);
  });

  it('are usable: 32 bytes each, an RSA pair that signs, a VAPID pair that web push takes', async () => {
    const { master, secret, instance, vapid } = await load();
    expect(secret).to.have.length(32);
    const box = master.box('subjectKeys');
    expect(box.unseal(box.seal(secret))).to.deep.equal(secret);
    expect(() => new MasterKey(secret).box('subjectKeys').unseal(box.seal(secret))).to.throw();
    const message = Buffer.from('hello');
    const signature = sign('sha256', message, instance.privateKey);
    expect(verify('sha256', message, instance.publicKey, signature)).to.equal(true);
    expect(createPublicKey(instance.publicKey).asymmetricKeyDetails?.modulusLength).to.equal(2048);
    webPush.setVapidDetails('mailto:admin@example.org', vapid.publicKey, vapid.privateKey);
  });

  it('are the same for processes that create them at the same moment', async () => {
    const [first, ...others] = await Promise.all([load(), load(), load(), load()]);
    for (const keys of others) expect(keys).to.deep.equal(first);
    expect(await readdir(dataDir)).to.deep.equal(['keys.json']);
  });

  it('come from ROOKERY_KEYS on further machines, which then write no file', async () => {
    const keys = await load();
    const text = await readFile(join(dataDir, 'keys.json'), 'utf8');
    await rm(join(dataDir, 'keys.json'));
    expect(await load({ ROOKERY_KEYS: text })).to.deep.equal(keys);
    expect(await readdir(dataDir)).to.deep.equal([]);
  });

  it('are overridden by the names of Mastodon, whose base64 is padded', async () => {
    const pair = webPush.generateVAPIDKeys();
    const keys = await load({
      VAPID_PUBLIC_KEY: `${pair.publicKey}=`,
      VAPID_PRIVATE_KEY: `${pair.privateKey}=`,
      SECRET_KEY_BASE: 's'.repeat(64),
    });
    expect(keys.vapid).to.deep.equal(pair);
    expect(keys.secret.toString()).to.equal('s'.repeat(64));
  });

  it('prevent the start when the web push keys do not match', async () => {
    const [first, second] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()];
    const mixed = { VAPID_PUBLIC_KEY: first.publicKey, VAPID_PRIVATE_KEY: second.privateKey };
    const error = await load(mixed).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ConfigError);
    expect((error as Error).message).to.include('must be a pair');
  });

  it('prevent the start when they are damaged, and are neither replaced nor shown', async () => {
    const file = join(dataDir, 'keys.json');
    await load();
    const damaged = (await readFile(file, 'utf8')).replace(/"master": "[^"]*"/, '"master": "c2hvcnQ"');
    await writeFile(file, damaged);
    const error = await load().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(ConfigError);
    expect((error as Error).message)
      .to.include('keys.json')
      .and.to.include('master')
      .and.not.to.include('c2hvcnQ');
    expect(await readFile(file, 'utf8')).to.equal(damaged);
  });

  it('keep derived keys when the master key is replaced, and decrypt with both until the end', async () => {
    const former = await load();
    const sealed = former.master.box('archives').seal(Buffer.from('secret'), '7');
    const begun = await rotationOf(dataDir, loadConfig({}).secrets);
    await replaceKeys(dataDir, begun.text);
    const both = await load();
    const derived = ({ checkpointSeed, emailDigestKey, addressDigestKey, distinction, secret }: Keys) => ({
      checkpointSeed,
      emailDigestKey,
      addressDigestKey,
      distinction,
      secret,
    });
    expect(derived(both)).to.deep.equal(derived(former));
    expect(both.master.id).not.to.equal(former.master.id);
    expect(both.master.box('archives').unseal(sealed, '7').toString()).to.equal('secret');
    expect(both.master.box('archives').isCurrent(sealed, '7')).to.equal(false);
    expect(() => both.master.box('archives').unseal(sealed, '8')).to.throw();
    const again = await rotationOf(dataDir, loadConfig({}).secrets);
    expect(again).to.deep.equal({ id: begun.id, text: begun.text, begins: false });
    await replaceKeys(dataDir, rotatedText(again.text, { keepOld: false }));
    const after = await load();
    expect(derived(after)).to.deep.equal(derived(former));
    expect(after.master.id).to.equal(both.master.id);
    expect(after.master.box('archives').opens(sealed, '7')).to.equal(false);
  });

  it('are replaced behind a symbolic link, with the permissions of the file and without remains', async () => {
    await load();
    const [file, target] = [join(dataDir, 'keys.json'), join(dataDir, 'elsewhere.json')];
    await rename(file, target);
    await symlink(target, file);
    await chmod(target, 0o640);
    await writeFile(`${target}.part`, 'left by a killed run');
    const { text } = await rotationOf(dataDir, loadConfig({}).secrets);
    await replaceKeys(dataDir, text);
    expect((await lstat(file)).isSymbolicLink()).to.equal(true);
    expect(await readFile(target, 'utf8')).to.equal(text);
    expect((await stat(target)).mode & 0o777).to.equal(0o640);
    expect((await readdir(dataDir)).toSorted()).to.deep.equal(['elsewhere.json', 'keys.json']);
  });
});
