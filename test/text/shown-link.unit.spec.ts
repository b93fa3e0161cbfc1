import { expect } from 'chai';
import { sanitizeRemoteHtml } from '#commands/text/sanitize.ts';
import { shownPartsOf } from '#commands/text/shown-link.ts';

describe('A shown link', () => {
  const long = 'a'.repeat(40);
  for (const [url, shown] of [
    ['https://www.example.org/path', 'example.org/path'],
    [`https://example.org/${long}`, `example.org/${'a'.repeat(18)}`],
    [`https://good.com.${long}.evil.com/x`, 'evil.com/x'],
    [`https://good.com.${long}.evil.co.uk:8443/x`, 'evil.co.uk:8443/x'],
    [`https://good.com.${long}.evil.github.io/`, 'evil.github.io/'],
    ['https://good.com@evil.com/', 'evil.com/'],
    [`https://good.com:${long}@evil.com/`, 'evil.com/'],
    [`https://evil.com\\${long}@good.com/`, `evil.com\\${'a'.repeat(21)}`],
    [`https://sub.${long}.com/x`, `${long}.com`],
    ['https://www.com/x', 'com/x'],
    [`https://${long}.b\u00FCcher.example/x`, 'b\u00FCcher.example/x'],
  ] as const) {
    it(`is ${shown} for ${url}`, () => {
      const parts = shownPartsOf(url);
      expect(parts.shown).to.equal(shown);
      expect(parts.before + parts.shown + parts.after).to.equal(url);
    });
  }

  const remote = (href: string, inner: string): string =>
    sanitizeRemoteHtml(`<a href="${href}">${inner}</a>`);
  const hide = (text: string): string => `<span class="invisible">${text}</span>`;

  it('keeps hidden parts of remote links that show their domain', () => {
    const inner = `${hide('https://www.')}<span class="ellipsis">example.org/pa</span>${hide('th')}`;
    expect(remote('https://www.example.org/path', inner)).to.contain(inner);
  });

  it('shows the hidden parts of remote links that hide their domain', () => {
    for (const inner of [
      `${hide('https://evil.example/')}good.com`,
      `good.com${hide('.evil.example')}`,
      `good.com/evil.example${hide('x')}`,
      `good.com${hide('<span>.</span>evil.example')}`,
    ]) {
      expect(remote('https://good.com.evil.example/', inner), inner).not.to.contain('invisible');
    }
  });
});
