import { buffer } from 'node:stream/consumers';
import { type Browser, type BrowserServer, chromium, type Download } from 'playwright-core';
import { chromiumPath } from '../../scripts/lib/chromium.ts';
import { PATIENCE } from './eventually.ts';

export const CHROMIUM = chromiumPath();

let server: Promise<BrowserServer> | undefined;

/**
 * Connects to the Chromium of this process, which starts on first use. Each connection has contexts of its own, and
 * closing it leaves the Chromium to the other specs.
 */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.connect((await (server ??= startServer())).wsEndpoint());
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
  return browser;
}

async function startServer(): Promise<BrowserServer> {
  const started = await chromium.launchServer({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    timeout: PATIENCE,
  });
  process.once('exit', () => started.process().kill('SIGKILL'));
  return started;
}

/** Returns the file that a page gave to save; its path is of no use where Chromium is connected to. */
export const savedFile = async (download: Download): Promise<Buffer> =>
  buffer(await download.createReadStream());
