import { expect } from 'chai';
import { accentOf, accentPath, accentStyle, contrast } from '#interfaces/web/design/accent.ts';

/** The grounds of `styles/tokens.css` on which links are. */
const GROUNDS = {
  light: ['#f3f5f6', '#ffffff', '#eef2f3'],
  dark: ['#0f1418', '#171e24', '#1f2830'],
} as const;
const COLORS = [
  ...['#000000', '#ffffff', '#808080', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#00ffff', '#ff00ff'],
  ...['#7a3b8f', '#0b6e7c', '#f5b942', '#c0ffee', '#123456', '#fedcba', '#e6ebef', '#17212b', '#767676'],
];

describe('The accent colour', () => {
  it('has the contrast of WCAG: 21 for black on white, 1 for itself', () => {
    expect(contrast('#000000', '#ffffff')).to.be.closeTo(21, 0.001);
    expect(contrast('#7a3b8f', '#7a3b8f')).to.equal(1);
    // https://webaim.org/resources/contrastchecker/ gives 4.54 for this grey.
    expect(contrast('#767676', '#ffffff')).to.be.closeTo(4.54, 0.01);
  });

  for (const scheme of ['light', 'dark'] as const) {
    it(`is legible in all its uses on every ground of the ${scheme} scheme`, () => {
      for (const color of COLORS) {
        const { accent, strong, soft, onAccent } = accentOf(color)[scheme];
        for (const ground of GROUNDS[scheme]) {
          expect(contrast(accent, ground), `${color} as ${accent} on ${ground}`).to.be.at.least(4.5);
          expect(contrast(strong, ground), `${color} as ${strong} on ${ground}`).to.be.at.least(4.5);
        }
        expect(contrast(strong, soft), `${color}: ${strong} on ${soft}`).to.be.at.least(4.5);
        expect(contrast(onAccent, accent), `${color}: ${onAccent} on ${accent}`).to.be.at.least(4.5);
        expect(contrast(onAccent, strong), `${color}: ${onAccent} on ${strong}`).to.be.at.least(4.5);
      }
    });
  }

  it('stays as it is where it is legible', () => {
    expect(accentOf('#7a3b8f').light.accent).to.equal('#7a3b8f');
    expect(accentOf('#5cc8d6').dark.accent).to.equal('#5cc8d6');
    expect(accentOf('#ffff00').light.accent).not.to.equal('#ffff00');
  });

  it('becomes a style sheet for both schemes at an address of its own', () => {
    expect(accentPath('#7a3b8f')).to.equal('/assets/accent-7a3b8f.css');
    expect(accentStyle('#7a3b8f')).to.match(
      /^:root\{--accent:#7a3b8f;(--[\w-]+:#[0-9a-f]{6};?){3}\}@media \(prefers-color-scheme:dark\)\{:root\{(--[\w-]+:#[0-9a-f]{6};?){4}\}\}$/,
    );
  });
});
