import type { Page } from 'playwright-core';

/**
 * Finds accessibility problems of a page in the browser: pictures without alternative text, controls without
 * a name, headings that skip a level, text with too little contrast (WCAG 2.2, 1.4.3), lines that need
 * horizontal scrolling (1.4.10).
 */
export const problemsOf = (page: Page): Promise<string[]> => page.evaluate(LOOK);

/** Fields without a label or with a missing description, and alerts that lack their role. */
export const unnamedIn = (page: Page): Promise<string[]> =>
  page.evaluate(`[
    ...[...document.querySelectorAll('input:not([type=hidden]), textarea, select')].filter((field) =>
      (field.labels.length !== 1 && !field.ariaLabel) ||
      (field.getAttribute('aria-describedby') ?? '').split(' ').some((id) => id && !document.getElementById(id))),
    ...document.querySelectorAll('.error:not([role=alert])'),
  ].map(({ outerHTML }) => outerHTML)`);

/** Runs in the page. */
const LOOK = `(() => {
  const problems = [];
  const one = (selector) => {
    const count = document.querySelectorAll(selector).length;
    if (count !== 1) problems.push(count + ' of ' + selector);
  };
  for (const selector of ['main', 'h1', 'body > header', 'body > footer', 'html[lang]', 'title']) one(selector);

  for (const image of document.images) if (!image.hasAttribute('alt')) problems.push('no alt: ' + image.src);
  for (const control of document.querySelectorAll('a[href], button, summary')) {
    const name = control.textContent.trim() || control.getAttribute('aria-label') || control.querySelector('img')?.alt;
    if (!name) problems.push('no name: ' + control.outerHTML);
  }
  for (const media of document.querySelectorAll('video, audio, progress')) {
    if (!media.getAttribute('aria-label')) problems.push('no name: ' + media.outerHTML);
  }
  for (const labelled of document.querySelectorAll('[aria-labelledby]')) {
    if (!document.getElementById(labelled.getAttribute('aria-labelledby'))) problems.push('no label: ' + labelled.outerHTML);
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  if (new Set(ids).size !== ids.length) problems.push('an id twice: ' + ids);

  let level = 0;
  for (const heading of document.querySelectorAll('main :is(h1, h2, h3, h4)')) {
    const next = Number(heading.localName.slice(1));
    if (next > level + 1) problems.push('a level is missing before: ' + heading.textContent);
    level = next;
  }

  const parts = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (color) => {
    const [r, g, b] = parts(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const ground = getComputedStyle(each).backgroundColor;
      if (parts(ground)[3] !== 0) return ground;
    }
    return 'rgb(255, 255, 255)';
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || !element.checkVisibility()) continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(groundOf(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) problems.push('contrast ' + contrast.toFixed(2) + ': ' + texts.currentNode.data.trim());
  }

  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) problems.push('wider than the window: ' + scrollWidth);
  return problems;
})()`;
