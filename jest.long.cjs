// `npm run test:long`: scenes that need minutes by nature, `*.long.test.ts`, which jest.preset.cjs leaves out.
const preset = require('./jest.preset.cjs');
const summary = require.resolve('./tools/workspace/src/jest-summary.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...preset,
  testMatch: ['<rootDir>/test/**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default', [summary, { file: 'long-test-results.json' }]],
  testTimeout: 1_200_000,
};
