const { readFileSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/** What /proc counts CPU time in: USER_HZ, 100 a second on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Jest's events that end a phase, and the phase that begins with them. */
const begins = {
  run_start: 'start',
  hook_start: 'start',
  test_fn_start: 'test',
  hook_success: 'between',
  hook_failure: 'between',
  test_fn_success: 'between',
  test_fn_failure: 'between',
};

/**
 * Node's test environment, which also measures where a test file spends its time: `load` (modules and the file's own
 * code), `start` (its hooks), `test` (its tests). Each has milliseconds by the wall clock, of CPU of the worker, and of
 * CPU of child processes that ended meanwhile (0 where there is no /proc).
 */
module.exports = class TimedEnvironment extends TestEnvironment {
  #file;
  #phase = 'load';
  #since = now();
  #spent = {};
  #tests = 0;

  constructor(config, context) {
    super(config, context);
    this.#file = relative(config.projectConfig.rootDir, context.testPath);
  }

  handleTestEvent({ name }) {
    if (begins[name] === undefined) return;
    if (name === 'test_fn_start') this.#tests += 1;
    this.#enter(begins[name]);
  }

  async teardown() {
    this.#enter('end');
    const times = { file: this.#file, tests: this.#tests, phases: this.#spent };
    const name = `${encodeURIComponent(this.#file)}.json`;
    // Unset where another reporter is used.
    const { TEST_TIMES: folder } = process.env;
    if (folder !== undefined) writeFileSync(join(folder, name), JSON.stringify(times));
    await super.teardown();
  }

  #enter(phase) {
    const reached = now();
    const spent = (this.#spent[this.#phase] ??= { wallMs: 0, cpuMs: 0, childCpuMs: 0 });
    for (const unit of Object.keys(spent)) spent[unit] += reached[unit] - this.#since[unit];
    this.#since = reached;
    this.#phase = phase;
  }
};

function now() {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMs: (user + system) / 1000, childCpuMs: childCpuMs() };
}

/** CPU time of the ended and awaited child processes, from fields 16 and 17 of proc_pid_stat(5). */
function childCpuMs() {
  let stat;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return 0;
  }
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(afterName[13]) + Number(afterName[14])) * 1000) / ticksPerSecond;
}
