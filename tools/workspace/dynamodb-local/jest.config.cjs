// Tests against Amazon's DynamoDB Local, for what the embedded engine may accept and DynamoDB not: those of the table's
// library, and of lists, which read the projections of indexes.
const { resolve } = require('node:path');
const config = require('../../../jest.config.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  rootDir: resolve(__dirname, '../../..'),
  testMatch: [
    '<rootDir>/libs/table/test/**/*.test.ts',
    '<rootDir>/apps/{registry,query,catalog}/test/{list,filter}-*.test.ts',
    '<rootDir>/apps/catalog/test/fields.test.ts',
  ],
  reporters: ['default'],
};
