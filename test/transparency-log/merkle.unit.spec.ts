import { expect } from 'chai';
import {
  consistencyRanges,
  Frontier,
  inclusionRanges,
  leafHash,
  type LeafRange,
  rootOf,
  type Subtree,
  subtreesOf,
} from '#operations/transparency-log/merkle.ts';
import { continues, includes, treeHash } from './auditor.ts';

/**
 * Test vectors of Certificate Transparency:
 * https://github.com/google/certificate-transparency/blob/master/cpp/merkletree/merkle_tree_test.cc
 */
const INPUTS = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const H96 = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7';
const H5F = '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e';
const H6B = '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4';
const HBC = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b';
const HCA = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';
const H0E = '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a';
const PATHS: [index: number, size: number, hashes: string[]][] = [
  [0, 1, []],
  [0, 8, [H96, H5F, H6B]],
  [5, 8, [HBC, HCA, ROOTS[3]!]],
  [2, 3, [ROOTS[1]!]],
  [1, 5, [ROOTS[0]!, H5F, HBC]],
];
const CONSISTENCY: [older: number, newer: number, hashes: string[]][] = [
  [1, 1, []],
  [1, 8, [H96, H5F, H6B]],
  [6, 8, [H0E, HCA, ROOTS[3]!]],
  [2, 5, [H5F, HBC]],
];

const vectors = INPUTS.map((input) => leafHash(Buffer.from(input, 'hex')));
const many = Array.from({ length: 70 }, (_, n) => leafHash(`leaf ${n}`));

const rootByFrontier = (leaves: readonly Buffer[]): Buffer => {
  const frontier = new Frontier();
  for (const leaf of leaves) frontier.append(leaf);
  return frontier.root();
};
const hashesOf = (leaves: readonly Buffer[], ranges: readonly LeafRange[]): Buffer[] =>
  ranges.map(([from, to]) => treeHash(leaves.slice(from, to)));
const base64 = (hashes: readonly Buffer[]): string[] => hashes.map((each) => each.toString('base64'));
const hex = (hashes: readonly Buffer[]): string[] => hashes.map((each) => each.toString('hex'));

describe('The Merkle tree', () => {
  it('has the known roots', () => {
    expect(rootByFrontier([]).toString('hex')).to.equal(EMPTY);
    expect(hex(ROOTS.map((_, n) => rootByFrontier(vectors.slice(0, n + 1))))).to.deep.equal(ROOTS);
  });

  it('has the known proofs', () => {
    for (const [index, size, hashes] of PATHS) {
      expect(hex(hashesOf(vectors, inclusionRanges(index, size))), `${index} in ${size}`).to.deep.equal(
        hashes,
      );
    }
    for (const [older, newer, hashes] of CONSISTENCY) {
      const found = hex(hashesOf(vectors, consistencyRanges(older, newer)));
      expect(found, `${older} to ${newer}`).to.deep.equal(hashes);
    }
  });

  it('hashes the UTF-8 bytes of a text', () => {
    expect(leafHash('ü\u2028').equals(leafHash(Buffer.from('ü\u2028')))).to.equal(true);
  });

  it('matches the definition for every size', () => {
    for (let size = 0; size <= many.length; size += 1) {
      const leaves = many.slice(0, size);
      const root = treeHash(leaves);
      expect(rootByFrontier(leaves).equals(root), `${size} leaves`).to.equal(true);
      const parts = subtreesOf([0, size]).map(({ height, place }) =>
        treeHash(leaves.slice(place * 2 ** height, (place + 1) * 2 ** height)),
      );
      expect(rootOf(parts).equals(root), `${size} leaves in subtrees`).to.equal(true);
    }
  });

  it('proves every leaf of every size, and no other leaf', () => {
    for (let size = 1; size <= 40; size += 1) {
      const root = treeHash(many.slice(0, size));
      for (let index = 0; index < size; index += 1) {
        const proof = {
          leaf_index: index,
          tree_size: size,
          hashes: base64(hashesOf(many, inclusionRanges(index, size))),
        };
        expect(includes(proof, many[index]!, root), `${index} in ${size}`).to.equal(true);
        expect(includes(proof, many[index + 1]!, root), `another than ${index} in ${size}`).to.equal(false);
      }
    }
  });

  it('proves that every size is consistent with every smaller one', () => {
    for (let to = 1; to <= 40; to += 1) {
      const newer = treeHash(many.slice(0, to));
      for (let from = 1; from <= to; from += 1) {
        const proof = { from, to, hashes: base64(hashesOf(many, consistencyRanges(from, to))) };
        expect(continues(proof, treeHash(many.slice(0, from)), newer), `${from} to ${to}`).to.equal(true);
        expect(continues(proof, treeHash(many.slice(1, from + 1)), newer), `not ${from}`).to.equal(false);
      }
    }
  });

  it('reports each subtree when it is full, and grows from subtrees as from leaves', () => {
    const reported: [Subtree, Buffer][] = [];
    const frontier = new Frontier((subtree, hash) => reported.push([subtree, hash]));
    for (const leaf of many.slice(0, 12)) frontier.append(leaf);
    expect(reported.map(([{ height, place }]) => `${height}/${place}`)).to.deep.equal([
      ...['1/0', '1/1', '2/0', '1/2', '1/3', '2/1', '3/0'],
      ...['1/4', '1/5', '2/2'],
    ]);
    const [, eight] = reported.find(([{ height }]) => height === 3)!;
    const other = new Frontier();
    other.append(eight, 3);
    expect(() => other.append(eight, 4)).to.throw(RangeError);
    for (const leaf of many.slice(8, 12)) other.append(leaf);
    expect(other.root().equals(frontier.root())).to.equal(true);
  });
});
