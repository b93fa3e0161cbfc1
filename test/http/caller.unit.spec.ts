import { expect } from 'chai';
import { z } from 'zod';
import { type Authenticated, authorize } from '#interfaces/http/caller.ts';
import type { Viewer } from '#kernel/context.ts';
import { endpoint } from '#kernel/endpoint.ts';
import { scopeMissing } from '#kernel/errors.ts';

const manage = endpoint({
  method: 'POST',
  path: '/api/v1/admin/things',
  summary: 'Manage things',
  auth: 'user',
  scopes: ['admin:write'],
  permission: 'manage_reports',
  reply: z.any(),
  handler: () => Promise.resolve({ json: {} }),
});
const caller = (role: string | null, ...scopes: string[]): Authenticated => ({
  token: { id: 't', application_id: 'a', account_id: '1', scopes },
  viewer: { account_id: '1', username: 'mia', role, confirmed: true, approved: true } as Viewer,
});
const refusal = (who: Authenticated): string | undefined => {
  try {
    authorize(manage, who, (granted, required) => granted.includes(required));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('Endpoints for staff', () => {
  it('let in users whose role and token both allow it', () => {
    expect(refusal(caller('Moderator', 'admin:write'))).to.equal(undefined);
  });

  it('refuse tokens without the scope, whatever the role', () => {
    expect(refusal(caller('Owner', 'write'))).to.equal('This action is outside the authorized scopes');
  });

  it('tell clients which scopes they accept', () => {
    for (const [scopes, named] of [
      [['read:accounts'], 'read read:accounts'],
      [['write:follows', 'follow'], 'follow write write:follows'],
      [['admin:write:reports'], 'admin:write admin:write:reports'],
      [['admin:read'], 'admin:read'],
      [['push'], 'push'],
    ] as const) {
      const { headers } = scopeMissing(scopes).extras;
      expect(headers?.['WWW-Authenticate']).to.equal(
        `Bearer realm="Doorkeeper", error="insufficient_scope", error_description="Access to this resource requires scope _${named}_."`,
      );
    }
  });

  it('refuse users without the role, whatever the token', () => {
    expect(refusal(caller(null, 'admin:write'))).to.equal('This action is not allowed');
  });
});
