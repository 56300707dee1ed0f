const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Writes the counts of a project's tests to `options.file` in the project. Nx keeps that file with the result of the
 * target, so that the counts are there as well when Nx answers from its cache.
 */
module.exports = class JestSummary {
  #path;

  constructor(globalConfig, { file }) {
    this.#path = join(globalConfig.rootDir, file);
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
    writeFileSync(this.#path, `${JSON.stringify(summary, undefined, 2)}\n`);
  }
};
