const TestSequencer = require('@jest/test-sequencer').default;

/** Paths in the workspace of long tests whose files are short. */
const longest = require('./longest-tests.json');

/**
 * The order of long tests. Without the times of an earlier run Jest begins with the largest files: a short file of many
 * random cases came last, and all cores but one waited for it.
 */
module.exports = class LongestFirst extends TestSequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
};

function rankOf({ path }) {
  const rank = longest.findIndex((end) => path.endsWith(end));
  return rank === -1 ? longest.length : rank;
}
