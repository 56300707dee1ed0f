export { findFreePort, findFreePorts, isPortFree } from './free-ports.ts';
export { startBroker, type Broker } from './start-broker.ts';
export { startDynamoDb, type DynamoDb } from './start-dynamodb.ts';
export { tiedToParent } from './tied-to-parent.ts';
