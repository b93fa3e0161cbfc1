import { expect } from 'chai';
import { outcomeOf, outcomeOfError } from '#interfaces/federation/delivery/outcome.ts';

const DAY = 24 * 3_600_000;

describe('The outcome of a delivery', () => {
  it('classifies HTTP statuses and errors as delivered, refused or failed', () => {
    const kinds = (statuses: readonly number[]) => statuses.map((status) => outcomeOf(status, {}).kind);
    expect(new Set(kinds([200, 201, 202, 204]))).deep.equal(new Set(['delivered']));
    expect(new Set(kinds([400, 403, 404, 405, 410, 413, 422, 501]))).deep.equal(new Set(['refused']));
    expect(new Set(kinds([301, 401, 408, 425, 429, 500, 502, 503, 504]))).deep.equal(new Set(['failed']));
    const error = (code: string) => outcomeOfError(Object.assign(new Error('x'), { code })).kind;
    expect(['unreachable', 'timeout', 'too_large'].map(error)).deep.equal(['failed', 'failed', 'failed']);
    expect(['bad_url', 'forbidden_address'].map(error)).deep.equal(['refused', 'refused']);
    expect(outcomeOf(503, { 'retry-after': '999999999' })).deep.include({ after: DAY });
    expect(outcomeOf(503, { 'retry-after': 'soon' })).not.have.property('after');
  });
});
