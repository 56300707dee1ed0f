// `npm run test:long`: tests that take minutes by nature, `*.long.test.ts`, which jest.config.cjs leaves out.
const config = require('./jest.config.cjs');
const [standard, [results]] = config.reporters;

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  testMatch: ['**/*.long.test.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: [standard, [results, { name: 'long-tests' }]],
  testSequencer: require.resolve('./tools/workspace/src/tests/longest-first.cjs'),
  testTimeout: 1_200_000,
};
