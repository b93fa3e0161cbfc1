import { expect } from 'chai';
import { ADAPTATIONS } from '#queries/entities/adaptations.ts';
import { describeTown } from '../support/people.ts';
import { relationshipsFor } from './adapted.ts';
import { collectAnswers, type Sample } from './answers.ts';
import { ICE_CUBES } from './models/ice-cubes.ts';
import type { Entity, Models } from './models/kinds.ts';
import { MASTODON_ANDROID } from './models/mastodon-android.ts';
import { MASTODON_IOS } from './models/mastodon-ios.ts';
import { TOOTSDK } from './models/tootsdk.ts';
import { TUSKY } from './models/tusky.ts';

const APPS: Record<string, Models> = {
  Tusky: TUSKY,
  'Ice Cubes': ICE_CUBES,
  'Mastodon for iOS': MASTODON_IOS,
  'Mastodon for Android': MASTODON_ANDROID,
  'apps made with TootSDK': TOOTSDK,
};

/**
 * Known members that an app cannot read, each with a reason. A member that becomes readable must be removed
 * here.
 */
const UNREADABLE: Record<string, string> = {};

describeTown('Replies to apps', function (town) {
  this.timeout(120_000);
  let answers: ReadonlyMap<Entity, readonly Sample[]>;
  /** Replies that only one app gets, by app and entity. */
  const adapted = new Map<string, readonly Sample[]>();
  before(async () => {
    answers = await collectAnswers(town);
    for (const { application } of ADAPTATIONS) {
      adapted.set(`${application}: Relationship`, await relationshipsFor(town, application));
    }
  });

  for (const [app, models] of Object.entries(APPS)) {
    for (const entity of Object.keys(models) as Entity[]) {
      it(`contain every member of ${entity} that ${app} needs`, () => {
        const samples = adapted.get(`${app}: ${entity}`) ?? answers.get(entity) ?? [];
        expect(samples, 'there is at least one reply').not.to.deep.equal([]);
        const problems = samples.flatMap(({ asked, reply }) => {
          const { error } = models[entity]?.safeParse(reply) ?? {};
          return (error?.issues ?? []).map((issue) => ({
            place: `${app}: ${entity}: ${issue.path.join('.')}`,
            line: `${asked}: ${issue.path.join('.')}: ${issue.message}`,
          }));
        });
        const unknown = problems.filter(({ place }) => !(place in UNREADABLE)).map(({ line }) => line);
        expect([...new Set(unknown)]).to.deep.equal([]);
        const expected = Object.keys(UNREADABLE).filter((place) => place.startsWith(`${app}: ${entity}: `));
        expect([...new Set(problems.map(({ place }) => place))]).to.have.members(expected);
      });
    }
  }

  it('include notifications of every type that apps distinguish', () => {
    const types = (answers.get('Notification') ?? []).map(({ reply }) => (reply as { type: string }).type);
    expect([...new Set(types)]).to.include.members([
      ...['mention', 'status', 'reblog', 'follow', 'favourite', 'quote', 'admin.report', 'admin.sign_up'],
      ...['moderation_warning', 'severed_relationships', 'added_to_collection', 'collection_update'],
    ]);
  });
});
