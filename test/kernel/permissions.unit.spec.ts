import { expect } from 'chai';
import { mayDo, outranks, roleOf } from '#mastodon/permissions.ts';

describe('The permissions of roles', () => {
  it('let moderators moderate, and nothing else', () => {
    expect(mayDo('Moderator', 'manage_reports')).to.equal(true);
    expect(mayDo('Moderator', 'manage_users')).to.equal(true);
    expect(mayDo('Moderator', 'manage_federation')).to.equal(false);
    expect(mayDo('Moderator', 'manage_roles')).to.equal(false);
  });

  it("let the owner do everything, and admins everything but the owner's tasks", () => {
    expect(mayDo('Owner', 'view_devops')).to.equal(true);
    expect(mayDo('Admin', 'manage_federation')).to.equal(true);
    expect(mayDo('Admin', 'administrator')).to.equal(false);
  });

  it('let everyone else invite', () => {
    expect(mayDo(null, 'invite_users')).to.equal(true);
    expect(mayDo(null, 'manage_reports')).to.equal(false);
    expect(roleOf('No such role')).to.deep.equal(roleOf(null));
  });

  it('equal those of a new Mastodon 4.6', () => {
    expect([null, 'Moderator', 'Admin', 'Owner'].map((role) => roleOf(role).permissions)).to.deep.equal([
      0x10000, 0x11051c, 0x1ffffc, 0x7fffff,
    ]);
  });

  it('rank roles, so that staff cannot act against an equal or higher rank', () => {
    expect(outranks('Owner', 'Admin')).to.equal(true);
    expect(outranks('Moderator', null)).to.equal(true);
    expect(outranks('Admin', 'Admin')).to.equal(false);
    expect(outranks('Moderator', 'Owner')).to.equal(false);
  });
});
