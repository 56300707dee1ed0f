// Tests against Amazon's DynamoDB Local (CONTRIBUTING.md), for what the embedded engine may accept and DynamoDB not. Those of the table's library, and of lists, which read the projections of indexes.
const config = require('./jest.config.cjs');
const [standard, [results]] = config.reporters;

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  testMatch: [
    '<rootDir>/libs/table/test/**/*.test.ts',
    '<rootDir>/apps/{registry,query,catalog}/test/{list,filter}-*.test.ts',
    '<rootDir>/apps/catalog/test/fields.test.ts',
  ],
  reporters: [standard, [results, { name: 'dynamodb-local-tests' }]],
};
