const { readFileSync } = require('node:fs');

/** A filter of Jest: only the tests whose absolute paths are the lines of the file that SELECTED_TESTS names. */
module.exports = (paths) => {
  const selected = new Set(readFileSync(process.env.SELECTED_TESTS, 'utf8').split('\n'));
  return { filtered: paths.filter((path) => selected.has(path)) };
};
