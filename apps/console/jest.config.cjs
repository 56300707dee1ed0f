// The server's tests in test/, and tests of pure code of the web app beside that code.
const preset = require('../../jest.preset.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...preset,
  testMatch: ['<rootDir>/{src,test,web}/**/*.test.ts'],
  testPathIgnorePatterns: [...preset.testPathIgnorePatterns, '/test/browser/'],
  transform: {
    '^.+\\.[mc]?[tj]sx?$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
          target: 'es2024',
        },
        module: { type: 'commonjs' },
      },
    ],
  },
};
