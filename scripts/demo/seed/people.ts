import type { App } from '#app/app.ts';
import { createAccount, recordActivity } from '#commands/accounts/index.ts';
import { days, momentOf } from '../moments.ts';
import { avatar, header } from '../pictures/portraits.ts';
import { render } from '../pictures/render.ts';
import { randomFrom } from '../random.ts';
import { AUDITOR, MODERATOR, OPERATOR, PERSON, type Person } from '../texts/people.ts';
import { withFiles } from './files.ts';
import { forAll, PICTURES_AT_ONCE, residentNamed, send, type Town } from './town.ts';

const SCOPES = ['read', 'write', 'follow', 'push', 'profile'];
const STAFF_SCOPES = [...SCOPES, 'admin:read', 'admin:write'];
const ROLES: Readonly<Record<string, string>> = {
  [PERSON]: 'person',
  [MODERATOR]: 'moderator',
  [AUDITOR]: 'auditor',
  [OPERATOR]: 'operator',
};

/** Not a secret: the demo listens on this machine alone and prints it. */
export const passwordOf = (name: string): string => `${ROLES[name] ?? name}-of-heron-street`;
export const emailOf = (name: string): string => `${name}@heron-street.example`;

/** Creates all accounts, each with an access token of an app, and fills their profiles. */
export async function settleIn(town: Town, app: App): Promise<void> {
  const { id: applicationId } = await town.acting.call<{ id: string }>('POST /api/v1/apps', {
    at: momentOf(days(43), town.end),
    body: {
      client_name: 'Heron Street Web',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      scopes: STAFF_SCOPES.join(' '),
    },
  });
  await forAll(town.plan.people, async (person) => {
    const [email, password] = [emailOf(person.username), passwordOf(person.username)];
    const ctx = town.acting.operator(momentOf(days(43 + person.joined), town.end));
    const { username, role = null } = person;
    const known = { confirmed: true, approved: true, reason: null, applicationId, signUpIp: null };
    const id = await createAccount(ctx, {
      username,
      email,
      password,
      role,
      locale: person.language ?? 'en',
      ...known,
    });
    const scopes = role === null ? SCOPES : STAFF_SCOPES;
    const { access_token: token } = await app.tokens.issue({ applicationId, accountId: id, scopes });
    town.residents.set(username, { id, token, email, password });
  });
  await town.acting.settle();
  await Promise.all([
    forAll(town.plan.people, (person) => fillProfile(town, person), PICTURES_AT_ONCE),
    forAll(town.plan.people, (person) => visitDaily(town, person)),
  ]);
  await town.acting.settle();
}

async function fillProfile(town: Town, person: Person): Promise<void> {
  const seed = town.plan.seed + person.joined;
  const { username, name, bio, fields, portrait, language = 'en', locked = false, bot = false } = person;
  const pictures = {
    avatar: await render(avatar(portrait, seed), 'jpeg'),
    header: await render(header(portrait, seed), 'jpeg'),
  };
  await withFiles(town, pictures, (files) =>
    send(town, username, 'PATCH /api/v1/accounts/update_credentials', {
      ago: days(43),
      files,
      body: {
        display_name: name,
        note: bio,
        locked,
        bot,
        discoverable: username !== 'bargains',
        indexable: true,
        avatar_description: `A drawing: ${portrait.motif}`,
        fields_attributes: fields.map(([label, value]) => ({ name: label, value })),
        source: { language },
      },
    }),
  );
}

/** Records the days on which a user was active; home timelines are kept for active users. */
async function visitDaily(town: Town, { username }: Person): Promise<void> {
  const random = randomFrom(town.plan.seed, `visits ${username}`);
  const { id } = residentNamed(town, username);
  for (let day = 43; day >= 0; day -= 1) {
    const isThere = day === 43 || day === 0 || random.chance(0.7);
    if (isThere) await recordActivity(town.acting.operator(momentOf(days(day), town.end)), id);
  }
}

/** Follows, among them requests to those who approve their followers. */
export async function meet(town: Town): Promise<void> {
  const { follows, people } = town.plan;
  await forAll(follows, ({ by, whom, ago }) =>
    send(town, by, 'POST /api/v1/accounts/:id/follow', { ago, params: { id: residentNamed(town, whom).id } }),
  );
  await town.acting.settle();
  for (const { username } of people.filter(({ locked }) => locked)) {
    const asking = follows.filter(({ whom }) => whom === username).toSorted((a, b) => b.ago - a.ago);
    // The last two still wait.
    await forAll(asking.slice(0, -2), ({ by, ago }) =>
      send(town, username, 'POST /api/v1/follow_requests/:account_id/authorize', {
        ago: ago - 60,
        params: { account_id: residentNamed(town, by).id },
      }),
    );
  }
  await town.acting.settle();
}
