import { expect } from 'chai';
import { replaceBlock } from '../../scripts/lib/block.ts';
import { drawing, listing } from '../../scripts/lib/map-drawing.ts';
import { type Arrow, floors, roomOf } from '../../scripts/lib/rooms.ts';

const arrow = (from: string, to: string, typeOnly = false): Arrow => ({ from, to, imports: 2, typeOnly });

const ARROWS = [
  arrow('queries', 'src/kernel'),
  arrow('commands', 'queries'),
  arrow('commands', 'src/kernel'),
  arrow('queries', 'projections', true),
  arrow('projections', 'src/kernel'),
];

describe('The map of rooms', () => {
  it('assigns a file to its folder below src, or to its top folder', () => {
    const files = ['src/app/run.ts', 'src/main.ts', 'commands/lists/create.ts', 'test/a.spec.ts', 'zod'];
    expect(files.map(roomOf)).to.deep.equal(['src/app', 'src/main.ts', 'commands', undefined, undefined]);
  });

  it('orders rooms so that each comes before the rooms that it imports', () => {
    expect(floors(ARROWS)).to.deep.equal(['commands', 'queries', 'projections', 'src/kernel']);
  });

  it('places a room that takes types from below, and refuses a circle at run time', () => {
    const types = arrow('src/kernel', 'projections', true);
    expect(floors([...ARROWS, types]).at(-1)).to.equal('src/kernel');
    const circle = [...ARROWS, arrow('src/kernel', 'commands')];
    expect(() => floors(circle)).to.throw('import each other: commands, queries, src/kernel');
  });

  it('draws types as dotted arrows and leaves out arrows that a longer path implies', () => {
    expect(drawing(ARROWS).split('\n')).to.deep.equal([
      '```mermaid',
      'flowchart TD',
      '  commands[commands]',
      '  queries[queries]',
      '  projections[projections]',
      '  kernel[src/kernel]',
      '  commands --> queries',
      '  queries -.-> projections',
      '  queries --> kernel',
      '  projections --> kernel',
      '```',
    ]);
  });

  it('lists every arrow with its number of imports', () => {
    expect(listing(ARROWS).split('\n')).to.deep.equal([
      'commands: queries (2), src/kernel (2)',
      'queries: projections (2, types only), src/kernel (2)',
      'projections: src/kernel (2)',
      'src/kernel: nothing',
    ]);
  });

  it('replaces only the lines between its markers', () => {
    const text = 'above\n<!-- map -->\nold\n<!-- /map -->\nbelow';
    expect(replaceBlock(text, 'map', 'new')).to.equal('above\n<!-- map -->\n\nnew\n\n<!-- /map -->\nbelow');
    expect(() => replaceBlock('above', 'map', 'new')).to.throw('<!-- map --> and <!-- /map --> are missing');
  });
});
