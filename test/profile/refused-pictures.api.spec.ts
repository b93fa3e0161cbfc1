import { expect } from 'chai';
import type { CredentialAccount } from '#mastodon/schemas/index.ts';
import { describeTown, type Person } from '../support/people.ts';

interface Refusal {
  error: string;
  details?: Record<string, { error: string; description: string }[]>;
}

describeTown('Refused pictures of a profile', (town) => {
  let alice: Person;
  before(async function () {
    this.timeout(120_000);
    alice = await town.person('alice');
  });

  const upload = (bytes: Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData();
    form.set('avatar', new Blob([bytes], { type: 'image/png' }), name);
    return alice.patch<Refusal>('/api/v1/accounts/update_credentials', form);
  };
  const text = new TextEncoder().encode('no picture at all');

  it('get an error about the type, also when the name claims a picture', async () => {
    const { status, json } = await upload(text, 'me.png');
    expect(status).to.equal(422);
    expect(json.error).to.equal(
      'Validation failed: Avatar has contents that are not what they are reported to be, Avatar content type is invalid, Avatar is invalid',
    );
    expect(json.details?.['avatar']?.[0]?.error).to.equal('ERR_SPOOFED_MEDIA_TYPE');
    expect(json.details?.['avatar_content_type']).to.deep.equal([
      { error: 'ERR_INVALID', description: 'is invalid' },
    ]);
    expect((await upload(text, 'notes.txt')).json.error).to.equal(
      'Validation failed: Avatar content type is invalid, Avatar is invalid',
    );
  });

  it('get an error with the limit above 8 MB', async () => {
    const { status, json } = await upload(new Uint8Array(9_000_000), 'me.png');
    expect(status).to.equal(422);
    expect(json.error).to.equal(
      'Validation failed: Avatar file size must be less than 8 MB, Avatar must be less than 8 MB',
    );
  });

  it('get an error for text in place of a file; an empty text changes nothing', async () => {
    const path = '/api/v1/accounts/update_credentials';
    const { status, json } = await alice.patch<Refusal>(path, { avatar: 'me.png', display_name: 'No' });
    expect([status, json]).to.deep.equal([400, { error: 'Bad Request' }]);
    const same = await alice.patch<CredentialAccount>(path, { avatar: '', header: null });
    expect([same.status, same.json.display_name]).to.deep.equal([200, '']);
  });
});
