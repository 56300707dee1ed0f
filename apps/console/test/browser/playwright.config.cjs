const { join } = require('node:path');

/** @type {import('@playwright/test').PlaywrightTestConfig} */
module.exports = {
  testDir: __dirname,
  testMatch: '**/*.spec.ts',
  outputDir: join(__dirname, '../../node_modules/.cache/browser-tests'),
  // One running stack for all tests, and two cores for the stack and the browser.
  workers: 1,
  // Guards against tests that hang, not measures of speed.
  timeout: 300_000,
  expect: { timeout: 120_000 },
  reporter: [['list'], [join(__dirname, 'summary-reporter.ts')]],
  use: {
    baseURL: process.env.CONSOLE_URL,
    timezoneId: 'Asia/Tokyo',
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      // Debian's Chromium would emulate a GPU, which takes a seventh more CPU for these tests.
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    },
  },
};
