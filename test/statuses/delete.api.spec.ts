import { expect } from 'chai';
import { reattachMedia } from '#commands/media/index.ts';
import { attachOrReleaseMedia } from '#commands/statuses/index.ts';
import type { MediaAttachment, Status } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';
import { still } from '../support/pictures.ts';
import { uploadForm } from '../support/uploads.ts';

describeTown('Deleting a post', function (town) {
  this.timeout(60_000);
  let alice: Person;

  before(async () => {
    alice = await town.person('alice');
  });

  const upload = async (color: string): Promise<string> =>
    (await alice.post<MediaAttachment>('/api/v2/media', uploadForm(await still(color)))).json.id;
  const post = async (body: object): Promise<Status> => {
    const { status, json } = await alice.post<Status>('/api/v1/statuses', body);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json;
  };
  const remove = (id: string, query = '') =>
    alice.delete<Status & { text: string }>(`/api/v1/statuses/${id}${query}`);
  const mediaStatus = async (id: string): Promise<number> => (await alice.get(`/api/v1/media/${id}`)).status;

  it('returns the source and the media, which can be posted again immediately', async () => {
    const media = await upload('teal');
    const first = await post({ status: 'a *draft*', spoiler_text: 'hm', media_ids: [media] });
    const { json: deleted } = await remove(first.id);
    expect(deleted).to.include({ id: first.id, text: 'a *draft*', spoiler_text: 'hm' });
    expect(deleted.media_attachments).to.deep.equal(first.media_attachments);
    const again = await post({
      status: deleted.text,
      media_ids: deleted.media_attachments.map(({ id }) => id),
    });
    expect(again.media_attachments).to.deep.equal(first.media_attachments);
    await town.waitUntilIdle();
    expect(await mediaStatus(media)).to.equal(404);
  });

  it('returns the poll', async () => {
    const { id, poll } = await post({ status: '?', poll: { options: ['a', 'b'], expires_in: 600 } });
    expect((await remove(id)).json.poll).to.deep.equal(poll);
  });

  it('keeps the media for a new post unless the request deletes them as well', async () => {
    const [kept, gone] = [await upload('teal'), await upload('navy')];
    await remove((await post({ media_ids: [kept] })).id);
    const { media_attachments } = await post({ media_ids: [gone] }).then(async ({ id }) => {
      return (await remove(id, '?delete_media=true')).json;
    });
    expect(await mediaStatus(kept)).to.equal(200);
    expect(await mediaStatus(gone)).to.equal(404);
    const { status } = await alice.post('/api/v1/statuses', { media_ids: [media_attachments[0]?.id] });
    expect(status).to.equal(422);
    await town.waitUntilIdle();
    expect(await mediaStatus(kept)).to.equal(200);
  });

  it('frees the media even when the process ends right after the deletion', async () => {
    const media = await upload('teal');
    const { id } = await post({ media_ids: [media] });
    await remove(id);
    await town.waitUntilIdle();
    // The state before the interrupted command continued.
    await reattachMedia(town.app.systemContext('spec'), [media], { accountId: alice.id, statusId: id });
    await attachOrReleaseMedia(town.app.systemContext('spec'), id);
    await town.waitUntilIdle();
    expect(await mediaStatus(media)).to.equal(200);
  });

  it('removes the reference to it from its replies, also when they are edited later', async () => {
    const parent = await post({ status: 'parent' });
    const child = await post({ status: '"in_reply_to_id":"1"', in_reply_to_id: parent.id });
    const grandchild = await post({ status: 'grandchild', in_reply_to_id: child.id });
    const read = async (id: string): Promise<Status> =>
      (await alice.get<Status>(`/api/v1/statuses/${id}`)).json;
    const answered = ({ in_reply_to_id, in_reply_to_account_id }: Status) => [
      in_reply_to_id,
      in_reply_to_account_id,
    ];
    expect(answered(await read(child.id))).to.deep.equal([parent.id, alice.id]);
    await remove(parent.id);
    expect(answered(await read(child.id))).to.deep.equal([null, alice.id]);
    expect((await read(child.id)).content).to.include('in_reply_to_id');
    expect(answered(await read(grandchild.id))).to.deep.equal([child.id, alice.id]);
    const edited = await alice.put<Status>(`/api/v1/statuses/${child.id}`, { status: 'edited' });
    expect(answered(edited.json)).to.deep.equal([null, alice.id]);
    expect(answered((await remove(child.id)).json)).to.deep.equal([null, alice.id]);
  });
});
