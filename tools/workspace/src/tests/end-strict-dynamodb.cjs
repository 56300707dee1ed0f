// Jest's global teardown.
module.exports = () => globalThis.endStrictDynamoDb();
