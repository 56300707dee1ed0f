// fast-check with the seed of the run.
const fastCheck = require('../../../../node_modules/fast-check/lib/cjs/fast-check.js');

const { SEED: seed } = process.env;
if (seed !== 'random') fastCheck.configureGlobal({ seed: Number(seed) });

module.exports = fastCheck;
