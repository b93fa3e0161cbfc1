import { type Html, html } from '#interfaces/web/design/html.ts';
import { icon } from '#interfaces/web/design/icons.ts';

/** The result of a check, in words for people. */
export interface Finding {
  good: boolean;
  text: string;
}

/** Renders what this server found. The script adds what the browser finds by itself (`browser/console/proof.js`). */
export const checkedBox = (findings: readonly Finding[], proof: object): Html =>
  html`<section class="box proof" aria-labelledby="checked">
      <h2 id="checked">The proof</h2>
      <h3>This server says</h3>
      <ul class="findings">
        ${findings.map(finding)}
      </ul>
      <div data-proof="${JSON.stringify(proof)}">
        <h3>This browser says</h3>
        <p class="hint" data-proof-waits>
          With scripts, this page computes the proof again by itself. Without them, download the proof and
          check it on your own machine.
        </p>
        <ul class="findings" data-proof-findings aria-live="polite"></ul>
      </div>
    </section>
    ${findingShapes}`;

const finding = ({ good, text }: Finding): Html =>
  html`<li class="${good ? 'good' : 'bad'}">
    ${icon(good ? 'circle-check' : 'triangle-alert')}<span>${text}</span>
  </li>`;

/** The shapes that the script shows its findings with. */
const findingShapes = html`<template data-finding="good"
    ><li class="good">${icon('circle-check')}<span></span></li></template
  ><template data-finding="bad"
    ><li class="bad">${icon('triangle-alert')}<span></span></li
  ></template>`;

/** Renders hashes and notes, folded. */
export const foldedText = (title: string, text: string): Html =>
  html`<details class="box fold">
    <summary>${title}</summary>
    <pre class="code" tabindex="0" aria-label="${title}">${text}</pre>
  </details>`;
