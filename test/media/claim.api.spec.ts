import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { changeMedia, claimMedia, releaseMedia } from '#commands/media/index.ts';
import { mediaStream } from '#events/media.ts';
import { Context, type UserContext } from '#kernel/context.ts';
import { isRookeryError } from '#kernel/errors.ts';
import { removeForgotten } from '#reactors/media.ts';
import { type Answer, startTestServer, type TestServer, type TestUser } from '../support/server.ts';
import { picture, uploadForm } from '../support/uploads.ts';
import { HAS_FFMPEG, silentVideo, tone } from '../support/videos.ts';

const DAY = 24 * 3_600_000;

describe('Attaching media to a status', function () {
  this.timeout(60_000);
  let server: TestServer;
  let alice: TestUser;
  let bob: TestUser;
  let image: Buffer;

  before(async () => {
    server = await startTestServer();
    alice = await server.user('alice');
    bob = await server.user('bob');
    image = await picture(64, 48);
  });
  after(() => server.close());

  const call = (method: string, path: string, { token }: TestUser, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token, ...(body === undefined ? {} : { body }) });
  const upload = async (who = alice, file = image): Promise<string> =>
    (await call('POST', '/api/v1/media', who, uploadForm(file))).body.id as string;
  const newStatus = (): string => server.app.contextDependencies.newId();
  /** A command of a user. The same id makes it the same command. */
  const contextOf = ({ id, username }: TestUser, commandId: string = randomUUID()): UserContext => {
    const viewer = { account_id: id, username, role: null, confirmed: true };
    const identity = { commandId, firstId: newStatus(), now: new Date().toISOString(), repeated: false };
    return new Context(server.app.contextDependencies, {
      requestId: randomUUID(),
      ip: '',
      locale: undefined,
      identity,
      viewer: { ...viewer, approved: true, disabled: false, suspended: false, moved: false },
    }) as unknown as UserContext;
  };
  const refused = async (attempt: Promise<unknown>): Promise<string> => {
    const error = await attempt.catch((reason: unknown) => reason);
    if (!isRookeryError(error)) throw new Error('expected a RookeryError', { cause: error });
    expect(error.code).to.equal('invalid');
    return error.message;
  };
  const events = async (id: string): Promise<string[]> =>
    (await server.app.log.readStream(mediaStream(id))).map(({ type }) => type);

  it('applies all attributes of the status, in the requested order', async () => {
    const ids = [await upload(), await upload()].reverse();
    const shown = await Promise.all(ids.map((id) => call('GET', `/api/v1/media/${id}`, alice)));
    const claimed = await claimMedia(contextOf(alice), ids, newStatus());
    expect(claimed.map(({ id }) => id)).to.deep.equal(ids);
    expect(claimed[0]).to.deep.include({ type: 'image', meta: shown[0]?.body.meta, remote_url: null });
    await server.waitUntilIdle();
    for (const id of ids) expect((await call('GET', `/api/v1/media/${id}`, alice)).status).to.equal(404);
  });

  it('happens once, however often the command is repeated', async () => {
    const ids = [await upload(), await upload()];
    const statusId = newStatus();
    const command = randomUUID();
    const first = await claimMedia(contextOf(alice, command), ids, statusId);
    expect(await claimMedia(contextOf(alice, command), ids, statusId)).to.deep.equal(first);
    expect(await claimMedia(contextOf(alice), [...ids, ...ids], statusId)).to.deep.equal(first);
    for (const id of ids) expect(await events(id)).to.deep.equal(['MediaUploaded', 'MediaAttached']);
  });

  it('accepts at most four free uploads of the user', async () => {
    const [mine, others] = [await upload(), await upload(bob)];
    const missing = `Media ${others} not found or already attached to another post`;
    expect(await refused(claimMedia(contextOf(alice), [mine, others], newStatus()))).to.equal(missing);
    expect(await refused(claimMedia(contextOf(alice), ['1', '2'], newStatus()))).to.contain('Media 1, 2 not');
    await claimMedia(contextOf(alice), [mine], newStatus());
    expect(await refused(claimMedia(contextOf(alice), [mine], newStatus()))).to.contain('already attached');
    expect(await refused(claimMedia(contextOf(alice), ['1', '2', '3', '4', '5'], newStatus()))).to.equal(
      'Cannot attach more than 4 files',
    );
  });

  it('frees the other files of the loser when two statuses claim one file', async () => {
    const wanted = await upload();
    const [a, b] = [await upload(), await upload()];
    const claims = await Promise.allSettled(
      [a, b].map((own) => claimMedia(contextOf(alice), [own, wanted], newStatus())),
    );
    expect(claims.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
    const loser = claims[0]?.status === 'rejected' ? a : b;
    await claimMedia(contextOf(alice), [loser], newStatus());
  });

  it('waits until a video is processed, and does not mix it with pictures', async function () {
    if (!HAS_FFMPEG) this.skip();
    const sound = await upload(alice, await tone('mp3'));
    expect(await refused(claimMedia(contextOf(alice), [sound, await upload()], newStatus()))).to.equal(
      'Cannot attach a video to a post that already contains images',
    );
    const { body } = await call('POST', '/api/v2/media', alice, uploadForm(await silentVideo('640x360')));
    expect(await refused(claimMedia(contextOf(alice), [body.id as string], newStatus()))).to.equal(
      'Cannot attach files that have not finished processing. Try again in a moment!',
    );
    await claimMedia(contextOf(alice), [sound], newStatus());
    await server.waitUntilIdle();
    for (let status = 206; status === 206;)
      ({ status } = await call('GET', `/api/v1/media/${body.id}`, alice));
  });

  it('moves from a scheduled status to the published one', async () => {
    const id = await upload();
    const [scheduled, posted] = [newStatus(), newStatus()];
    await claimMedia(contextOf(alice), [id], scheduled);
    await claimMedia(contextOf(alice), [id], posted, { from: scheduled });
    await releaseMedia(contextOf(alice), [id], scheduled);
    await server.waitUntilIdle();
    expect((await call('GET', `/api/v1/media/${id}`, alice)).status, 'still attached').to.equal(404);
  });

  it('prevents changing or deleting the media by itself; its status may change it', async () => {
    const id = await upload();
    const statusId = newStatus();
    await claimMedia(contextOf(alice), [id], statusId);
    expect((await call('PUT', `/api/v1/media/${id}`, alice, { description: 'x' })).status).to.equal(404);
    const removed = await call('DELETE', `/api/v1/media/${id}`, alice);
    expect(removed.status).to.equal(422);
    expect(removed.body.error).to.equal('Media attachment is currently used by a status');
    const changed = await changeMedia(contextOf(alice), id, { description: 'new' }, { statusId });
    expect(changed.description).to.equal('new');
    const other = await changeMedia(contextOf(alice), id, {}, { statusId: '1' }).catch(
      (reason: unknown) => reason,
    );
    expect(isRookeryError(other) && other.code).to.equal('not_found');
  });

  it('ends when the status is deleted: the media is free again, and removed after a day', async () => {
    const id = await upload();
    const statusId = newStatus();
    const ctx = contextOf(alice);
    await claimMedia(ctx, [id], statusId);
    await server.waitUntilIdle();
    const due = (milliseconds: number) =>
      removeForgotten.due(server.app.db, new Date(Date.now() + milliseconds).toISOString(), []);
    const keys = async (milliseconds: number): Promise<string[]> =>
      (await due(milliseconds)).rows.map(({ key }) => key);
    expect(await keys(2 * DAY), 'while it is attached').not.to.include(id);

    await releaseMedia(contextOf(alice), [id], statusId);
    await releaseMedia(contextOf(alice), [id], statusId);
    await server.waitUntilIdle();
    expect((await events(id)).slice(1)).to.deep.equal(['MediaAttached', 'MediaDetached']);
    const { body } = await call('GET', `/api/v1/media/${id}`, alice);
    expect(body.id).to.equal(id);
    expect(await keys(0.99 * DAY)).not.to.include(id);
    expect(await keys(1.01 * DAY)).to.include(id);
    const { next } = await due(0);
    expect(Date.parse(next ?? '')).to.be.within(Date.now() + 0.9 * DAY, Date.now() + DAY);

    const reclaimed = await upload();
    for (const key of [id, id])
      await removeForgotten.fire(server.app.systemContext('media-removal'), { key });
    await claimMedia(contextOf(alice), [reclaimed], newStatus());
    await removeForgotten.fire(server.app.systemContext('media-removal'), { key: reclaimed });
    await server.waitUntilIdle();
    expect((await events(id)).at(-1)).to.equal('MediaDeleted');
    expect((await call('GET', `/api/v1/media/${id}`, alice)).status).to.equal(404);
    expect((await fetch(`${server.url}${new URL(body.url as string).pathname}`)).status).to.equal(404);
    expect(await events(reclaimed), 'attached meanwhile').to.deep.equal(['MediaUploaded', 'MediaAttached']);
    await ctx.waitForReadModels();
  });
});
