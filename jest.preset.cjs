// Every project's tests: the sources as they are, stripped of types by SWC. ESM-only packages are
// named, because Jest runs the tests as CommonJS.
const esmOnly = ['aedes', 'cborg', 'jose', 'p-map', 'temporal-polyfill', 'temporal-utils'];

const summary = require.resolve('./tools/workspace/src/jest-summary.cjs');

/** @type {import('jest').Config} */
module.exports = {
  // Its exports have no entry for CommonJS.
  moduleNameMapper: { '^cborg$': require.resolve('./node_modules/cborg/cborg.js') },
  testMatch: ['<rootDir>/{src,test}/**/*.test.ts'],
  // Scenes that need minutes by nature are run by `npm run test:long`, with jest.long.cjs.
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  reporters: ['default', [summary, { file: 'test-results.json' }]],
  transform: {
    '^.+\\.[mc]?[tj]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  // A guard against tests that hang, not a measure of speed: on a busy machine a test takes ten times as long.
  testTimeout: 300_000,
};
