const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const folder = join(__dirname, '../../../../node_modules/.cache/test-results');
const messageLines = 20;

/** Where timed-environment.cjs leaves the times of each test file. */
const timesFolder = join(folder, 'times');

/**
 * Writes the results of a run of Jest, as `TestResults` of results.ts, to `NAME.json` in the folder of results. `name`
 * is a reporter option of the configuration.
 */
module.exports = class ResultsReporter {
  static timesFolder = timesFolder;

  #rootDir;
  #file;

  constructor({ rootDir }, { name }) {
    this.#rootDir = rootDir;
    this.#file = join(folder, `${name}.json`);
  }

  onRunStart() {
    rmSync(timesFolder, { recursive: true, force: true });
    mkdirSync(timesFolder, { recursive: true });
  }

  onRunComplete(_contexts, { testResults, ...counts }) {
    const results = {
      passed: counts.numPassedTests,
      failed: counts.numFailedTests + counts.numRuntimeErrorTestSuites,
      skipped: testResults
        .flatMap((file) => file.testResults)
        .filter(({ status }) => status === 'pending')
        .map(({ fullName }) => fullName),
      failures: testResults.flatMap((file) => failuresOf(file, this.#rootDir)),
      times: readTimes(),
    };
    writeFileSync(this.#file, `${JSON.stringify(results, undefined, 2)}\n`);
  }
};

/** The failed tests of a file, or the file itself where it could not be run. */
function failuresOf({ testResults, testFilePath, failureMessage, testExecError }, rootDir) {
  const file = relative(rootDir, testFilePath);
  if (testExecError) return [failure(file, failureMessage ?? '')];
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) =>
      failure(`${file}: ${fullName}`, failureMessages.join('\n')),
    );
}

function failure(name, message) {
  const plain = stripVTControlCharacters(message);
  return { name, message: plain.split('\n').slice(0, messageLines).join('\n') };
}

function readTimes() {
  const names = readdirSync(timesFolder);
  return names.map((name) => JSON.parse(readFileSync(join(timesFolder, name), 'utf8')));
}
