import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Returns what axe finds wrong with a page by WCAG 2.2 AA and its best practices, one line a rule and element:
 * https://github.com/dequelabs/axe-core/blob/develop/doc/rule-descriptions.md
 */
export async function axeFindings(page: Page): Promise<string[]> {
  // `evaluate` runs outside of the page's Content-Security-Policy.
  await page.evaluate(AXE);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`);
}
