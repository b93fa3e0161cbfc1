import { expect } from 'chai';
import { describeFeature, featureNames, featureOf } from '../../scripts/lib/feature.ts';

describe('The list of what belongs to a feature', () => {
  it('names features by their folder or file, those of staff with admin/', () => {
    const files = ['queries/blocks.ts', 'queries/filters/list.ts', 'commands/admin/reports/notes.ts'];
    expect(files.map(featureOf)).to.deep.equal(['blocks', 'filters', 'admin/reports']);
    expect(featureNames()).to.include.members(['blocks', 'filters', 'admin/reports']);
    expect(featureNames()).not.to.include('index');
  });

  it('finds every part of the filters', async () => {
    const filters = await describeFeature('filters');
    expect(filters.files).to.include.members(['commands/filters/create.ts', 'queries/filters/list.ts']);
    expect(filters.routes.map(({ method, path }) => `${method} ${path}`)).to.include.members([
      'GET /api/v2/filters',
      'DELETE /api/v1/filters/:id',
    ]);
    expect(filters.events).to.include.members(['FilterCreated', 'FilterDeleted']);
    expect(filters.streams).to.deep.equal(['filter-{filterId}']);
    expect(filters.readModels.find(({ name }) => name === 'filters')).to.deep.include({
      group: 'main',
      because: 'takes its events, read by it',
    });
    expect(filters.statements).to.include('filters_of_account');
    expect(filters.tests).to.include.members([
      'test/filters/filters.api.spec.ts',
      'test/projections/filters.projection.spec.ts',
    ]);
  });

  it('finds the use cases of a feature', async () => {
    const { useCases } = await describeFeature('lists');
    expect(useCases).to.deep.equal([
      'createListAs',
      'deleteListAs',
      'moveMember',
      'putIntoList',
      'removeFromList',
    ]);
  });

  it('finds the reactors that act on the events of a feature', async () => {
    const { reactors, streams } = await describeFeature('scheduled-statuses');
    expect(reactors).to.include('publish-scheduled-statuses');
    expect(streams).to.include('scheduled-status-{scheduledId}');
  });

  it('finds the read model of a feature that is one file and only reads', async () => {
    const { readModels, events } = await describeFeature('markers');
    expect(readModels.map(({ name }) => name)).to.deep.equal(['markers']);
    expect(events).to.deep.equal(['MarkersMoved']);
  });

  it('finds statements that a function of another feature makes', async () => {
    const { statements, readModels } = await describeFeature('bookmarks');
    expect(statements).to.deep.equal(['bookmarks']);
    expect(readModels.map(({ name }) => name)).to.include('interactions');
  });

  it('takes no function for a maker of statements that only has the name of one', async () => {
    const { statements } = await describeFeature('lists');
    expect(statements).to.include.members(['list_candidates', 'lists_count']);
    expect(statements).not.to.include('state');
    expect(statements).to.deep.equal([...new Set(statements)]);
  });

  it('names each statement that a function of the feature itself makes', async () => {
    const { statements } = await describeFeature('timelines');
    expect(statements).to.include.members(['audience_home', 'audience_list', 'timeline_public_media']);
    expect(statements).not.to.include('name');
  });

  it('finds the specs that call the routes of a feature without specs of its own', async () => {
    const { tests } = await describeFeature('bookmarks');
    expect(tests).to.include('test/statuses/marks.api.spec.ts');
  });

  it('finds the statement and the read model behind a list of accounts', async () => {
    const { statements, readModels } = await describeFeature('blocks');
    expect(statements).to.deep.equal(['blocked_accounts']);
    expect(readModels.map(({ name }) => name)).to.deep.equal(['relationships']);
  });
});
