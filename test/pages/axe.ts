import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules whose findings depend on colours. */
const BY_COLOUR = ['color-contrast', 'link-in-text-block'];
/**
 * The rules whose findings depend on colours or on the width of the window. axe leaves out `target-size` unless it is
 * asked for: it takes controls for small that a menu covers.
 */
const BY_LOOK = [...BY_COLOUR, 'target-size'];

/** The widths at which axe has seen a page of this process, by the digest of its elements. */
const seen = new Map<string, Set<number>>();

/**
 * Returns what axe finds wrong with a page by WCAG 2.2 AA and its best practices, one line a rule and element:
 * https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md
 * A page that axe has seen, with the same elements, is checked again only for what depends on width and colours.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  const { isLoaded, elements, width } = await page.evaluate<Look>(LOOK);
  // `evaluate` runs outside of the page's Content-Security-Policy.
  if (!isLoaded) await page.evaluate(AXE);
  const widths = seen.get(elements) ?? new Set();
  seen.set(elements, widths);
  const rules = widths.size === 0 ? undefined : widths.has(width) ? BY_COLOUR : BY_LOOK;
  widths.add(width);
  // No rule that is on by default reads the style sheets that axe would load again.
  const preload = { assets: ['media'] };
  const options = { resultTypes: ['violations'], preload, ...(rules && { runOnly: rules }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`);
}

interface Look {
  isLoaded: boolean;
  elements: string;
  width: number;
}

/** Runs in the page. Hidden fields hold tokens, which differ each time, and nothing for axe. */
const LOOK = `(() => {
  const visible = document.documentElement.outerHTML.replaceAll(/<input type="hidden"[^>]*>/g, '');
  const text = visible + document.querySelectorAll(':checked').length;
  let [a, b] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    a = Math.imul(a ^ text.charCodeAt(at), 2654435761);
    b = Math.imul(b ^ text.charCodeAt(at), 1597334677);
  }
  return { isLoaded: 'axe' in window, elements: [text.length, a, b].join(' '), width: innerWidth };
})()`;
