// Jest's global setup. Native import, since Jest's own transformation of the simulator takes a second.
module.exports = async () => {
  const { startStrictDynamoDb } = await import('./strict-dynamodb.ts');
  globalThis.endStrictDynamoDb = await startStrictDynamoDb();
};
