import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The rules whose findings depend on colours and on the width of the window. axe leaves out `target-size` unless it is
 * asked for: it takes controls for small that a menu covers.
 */
export const BY_LOOK = ['color-contrast', 'link-in-text-block', 'target-size'];

/**
 * Returns what axe finds wrong with a page by WCAG 2.2 AA and its best practices, one line a rule and element:
 * https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md
 */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // `evaluate` runs outside of the page's Content-Security-Policy.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`);
}
