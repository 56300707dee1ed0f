// Every project's tests: the sources as they are, stripped of types by SWC. ESM-only packages are
// named, because Jest runs the tests as CommonJS.
const esmOnly = ['aedes', 'cborg', 'jose', 'temporal-polyfill', 'temporal-utils'];

/** @type {import('jest').Config} */
module.exports = {
  // Its exports have no entry for CommonJS.
  moduleNameMapper: { '^cborg$': require.resolve('./node_modules/cborg/cborg.js') },
  testMatch: ['<rootDir>/{src,test}/**/*.test.ts'],
  reporters: ['default', require.resolve('./tools/workspace/src/jest-summary.cjs')],
  transform: {
    '^.+\\.[mc]?[tj]s$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'commonjs' } },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  testTimeout: 30_000,
};
