const {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const { join, relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const folder = join(__dirname, '../../../../node_modules/.cache/test-results');
const messageLines = 20;

/**
 * Writes the results of a run of Jest, as `TestResults` of results.ts, to `NAME.json` in the folder of results. `name`
 * is a reporter option of the configuration.
 */
module.exports = class ResultsReporter {
  #rootDir;
  #file;
  #times;

  constructor({ rootDir }, { name }) {
    this.#rootDir = rootDir;
    this.#file = join(folder, `${name}.json`);
  }

  /** timed-environment.cjs, in the processes that Jest starts after this, leaves the times of each test file there. */
  onRunStart() {
    this.#times = mkdtempSync(join(tmpdir(), 'engawa-test-times-'));
    process.env.TEST_TIMES = this.#times;
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
      times: readTimes(this.#times),
    };
    rmSync(this.#times, { recursive: true });
    mkdirSync(folder, { recursive: true });
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

function readTimes(times) {
  const names = readdirSync(times);
  return names.map((name) => JSON.parse(readFileSync(join(times, name), 'utf8')));
}
