const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Leaves the numbers of a project's tests in its `test-results.json`. Nx keeps that file with the result of the target, so
 * that the numbers are there as well when it answers from its cache.
 */
module.exports = class JestSummary {
  #rootDir;

  constructor(globalConfig) {
    this.#rootDir = globalConfig.rootDir;
  }

  onRunComplete(_contexts, results) {
    const skipped = results.testResults
      .flatMap(({ testResults }) => testResults)
      .filter(({ status }) => status === 'pending')
      .map(({ fullName }) => fullName);
    const summary = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped,
    };
    writeFileSync(
      join(this.#rootDir, 'test-results.json'),
      `${JSON.stringify(summary, undefined, 2)}\n`,
    );
  }
};
