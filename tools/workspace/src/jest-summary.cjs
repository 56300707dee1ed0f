const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const messageLines = 20;

/**
 * Writes the counts of a project's tests, and which of them failed, to `options.file` in the project. Nx keeps that file
 * with the result of the target, so that the counts are there as well when Nx answers from its cache.
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
      failures: results.testResults.flatMap(failuresOf),
    };
    writeFileSync(this.#path, `${JSON.stringify(summary, undefined, 2)}\n`);
  }
};

/** The failed tests of a file, or the file itself where it could not be run. */
function failuresOf({ testResults, testFilePath, failureMessage, testExecError }) {
  if (testExecError) return [failure(testFilePath, failureMessage ?? '')];
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => failure(fullName, failureMessages.join('\n')));
}

function failure(name, message) {
  const plain = stripVTControlCharacters(message);
  return { name, message: plain.split('\n').slice(0, messageLines).join('\n') };
}
