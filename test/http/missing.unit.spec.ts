import { expect } from 'chai';
import { wordedFor } from '#interfaces/http/missing.ts';
import type { Endpoint } from '#kernel/endpoint.ts';
import { invalid, notFound } from '#kernel/errors.ts';

const at = (method: string, path: string) => ({ method, path }) as Endpoint;
const textAt = (method: string, path: string): string =>
  (wordedFor(at(method, path), notFound()) as Error).message;

describe('The text of a 404', () => {
  it('is "Not Found" where Mastodon handles the missing record itself', () => {
    expect(textAt('GET', '/api/v1/statuses/:id')).to.equal('Not Found');
    expect(textAt('POST', '/api/v1/statuses/:id/favourite')).to.equal('Not Found');
    expect(textAt('POST', '/api/v1/polls/:id/votes')).to.equal('Not Found');
    expect(textAt('POST', '/api/v1/tags/:name/follow')).to.equal('Not Found');
  });

  it('is "Record not found" elsewhere', () => {
    expect(textAt('PUT', '/api/v1/statuses/:id')).to.equal('Record not found');
    expect(textAt('DELETE', '/api/v1/statuses/:id')).to.equal('Record not found');
    expect(textAt('GET', '/api/v1/accounts/:id')).to.equal('Record not found');
    expect(textAt('POST', '/api/v1/statuses/:id/quotes/:quoting_status_id/revoke')).to.equal(
      'Record not found',
    );
    expect(textAt('GET', '/api/oembed')).to.equal('Record not found');
  });

  it('leaves every other error unchanged', () => {
    const error = invalid('Validation failed');
    expect(wordedFor(at('GET', '/api/v1/statuses/:id'), error)).to.equal(error);
  });
});
