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
/** USER_HZ, as in timed-environment.cjs. */
const ticksPerSecond = 100;

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
      times: [...readTimes(this.#times), sharedTimes()],
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

/**
 * The DynamoDB API that all test files share, which no file's times contain: this process, which also schedules the
 * tests, has the proxy, and the engine is its child.
 */
function sharedTimes() {
  const { user, system } = process.cpuUsage();
  // Its wall time is that of the files.
  const whole = { wallMs: 0, cpuMs: (user + system) / 1000, childCpuMs: engineCpuMs() };
  return { file: 'shared/DynamoDB API', tests: 0, phases: { test: whole } };
}

/** From proc_pid_stat(5); 0 where there is no /proc, and for an API that the environment names. */
function engineCpuMs() {
  try {
    const stats = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => statOf(pid));
    const engine = stats.find(({ name, parent }) => name === 'dynoxide' && parent === process.pid);
    return engine === undefined ? 0 : engine.cpuMs;
  } catch {
    return 0;
  }
}

/** A process may end meanwhile. */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { name, parent: Number(fields[1]), cpuMs: (ticks * 1000) / ticksPerSecond };
  } catch {
    return { name: '', parent: 0, cpuMs: 0 };
  }
}
