/** Returns the browser of tests and scripts: `TEST_CHROMIUM`, or where Debian has it. */
// eslint-disable-next-line no-restricted-properties
export const chromiumPath = (): string => process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium';
