import { buttonLink, menu, tabs } from '#interfaces/web/design/components.ts';
import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';
import { handleOf, profilePath } from '#interfaces/web/entities/addresses.ts';
import { nameLink, plainName } from '#interfaces/web/entities/byline.ts';
import { followButton } from '#interfaces/web/entities/person.ts';
import { profileHeader } from '#interfaces/web/entities/profile-header.ts';
import { relationshipBadges } from '#interfaces/web/entities/relationship-badges.ts';
import { counted } from '#interfaces/web/entities/texts.ts';
import type { View } from '#interfaces/web/entities/view.ts';
import { noticeBox } from '#interfaces/web/page/notices.ts';
import type { SignedInRequest, WebResponse } from '#interfaces/web/page/page.ts';
import { viewOf } from '#interfaces/web/page/request-view.ts';
import type { Account, FeaturedTag, Relationship } from '#mastodon/schemas/index.ts';
import { type Person, personOf } from './account.ts';
import { personChoices } from './menu.ts';

/** A part of a profile: the end of its path, and its name. */
export interface Tab {
  path: '' | `/${string}`;
  title: string;
}

/** Renders a profile with the content of one tab. The own domain in a handle leads to the short address. */
export async function profileWith(
  request: SignedInRequest<{ name: string }>,
  account: Account,
  tab: Tab,
  content: () => Promise<Html>,
): Promise<WebResponse> {
  const { name } = request.params;
  if (name.toLowerCase() !== account.acct.toLowerCase()) {
    return { redirect: `${profilePath(account)}${tab.path}` };
  }
  const view = viewOf(request);
  const isSelf = account.id === request.user.account_id;
  const [person, tags, familiar, list] = await Promise.all([
    personOf(request, account),
    tagsOf(request, account),
    isSelf ? [] : familiarFollowers(request, account),
    content(),
  ]);
  const { relationship } = person;
  const header = profileHeader(account, view, {
    tags,
    actions: actionsOf(person, view),
    badges: isSelf ? [] : relationshipBadges(relationship),
    more: html`${familiarLine(familiar, view)} ${noteOf(account, relationship)}`,
  });
  return {
    title: `${plainName(account)} (${handleOf(account, view.instance)})`,
    hidden: true,
    body: html`${noticeBox(request)} ${header} ${tabsOf(account, tab)} ${list}`,
  };
}

const actionsOf = (person: Person, view: View): Html =>
  html`${
    person.isSelf
      ? buttonLink('/settings/profile', 'Edit profile', { look: 'plain', icon: 'pencil' })
      : followButton(person.account, person.relationship, view)
  }
  ${menu('More', icon('ellipsis'), personChoices(person))}`;

/** Suspended accounts have none. */
async function tagsOf(request: SignedInRequest, { id, suspended }: Account): Promise<FeaturedTag[]> {
  if (suspended === true) return [];
  return (await request.api('GET v1/accounts/:id/featured_tags', { params: { id } })).entity;
}

async function familiarFollowers(request: SignedInRequest, { id }: Account): Promise<Account[]> {
  const { entity } = await request.api('GET v1/accounts/familiar_followers', { query: { id: [id] } });
  return entity[0]?.accounts ?? [];
}

/** The number of familiar followers that are named. */
const NAMED = 3;

function familiarLine(familiar: readonly Account[], view: View): Html | false {
  const names = familiar.slice(0, NAMED).map((account) => nameLink(account, view));
  const others = familiar.length - names.length;
  return (
    names.length > 0 &&
    html`<p class="quiet familiar">
      Followed by
      ${names.map((name, index) => html`${index > 0 && ', '}${name}`)}${others > 0 && ` and ${counted(others, 'other')} you know`}
    </p>`
  );
}

const noteOf = (account: Account, { note }: Relationship): Html | false =>
  note !== '' &&
  html`<div class="private-note">
    <h2>Your note</h2>
    <p dir="auto">${note}</p>
    <a href="${profilePath(account)}/note">Edit</a>
  </div>`;

function tabsOf(account: Account, current: Tab): Html {
  const page = profilePath(account);
  const links = [
    { href: page, text: 'Posts' },
    { href: `${page}/with_replies`, text: 'Posts and replies' },
    ...(account.show_media === false ? [] : [{ href: `${page}/media`, text: 'Media' }]),
    ...(account.show_featured === false ? [] : [{ href: `${page}/featured`, text: 'Featured' }]),
  ];
  return tabs('Profile', links, `${page}${current.path}`);
}
