// All tests of the workspace in one run: the sources as they are, stripped of types by SWC. ESM-only packages are named,
// because Jest runs the tests as CommonJS.
const esmOnly = ['aedes', 'cborg', 'jose', 'p-map', 'temporal-polyfill', 'temporal-utils'];

// Random tests draw the same cases in each run, so that a test fails because of a change; `random` draws others.
process.env.SEED ??= '1';

const tests = './tools/workspace/src/tests';

function swc(options) {
  return [
    '@swc/jest',
    {
      jsc: { ...options, parser: { syntax: 'typescript', ...options.parser }, target: 'es2024' },
      module: { type: 'commonjs' },
    },
  ];
}

/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools'],
  globalSetup: require.resolve(`${tests}/start-strict-dynamodb.cjs`),
  globalTeardown: require.resolve(`${tests}/end-strict-dynamodb.cjs`),
  testEnvironment: require.resolve(`${tests}/timed-environment.cjs`),
  moduleNameMapper: {
    // Its exports have no entry for CommonJS.
    '^cborg$': require.resolve('./node_modules/cborg/cborg.js'),
    '^fast-check$': require.resolve(`${tests}/seeded-fast-check.cjs`),
  },
  testMatch: ['**/*.test.ts'],
  // Tests that take minutes by nature are run by `npm run test:long`, with jest.long.cjs.
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.test\\.ts$'],
  reporters: ['default', [require.resolve(`${tests}/results-reporter.cjs`), { name: 'tests' }]],
  transform: {
    '^.+\\.[mc]?[tj]s$': swc({}),
    '^.+\\.tsx$': swc({
      parser: { tsx: true },
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    }),
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  // One more than cores: tests wait as much as they compute.
  maxWorkers: require('node:os').availableParallelism() + 1,
  workerIdleMemoryLimit: '1GB',
  // A guard against tests that hang, not a measure of speed: on a busy machine a test takes ten times as long.
  testTimeout: 300_000,
};
