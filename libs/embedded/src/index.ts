export { findChromium } from './find-chromium.ts';
export { findFreePort, findFreePorts, isPortFree } from './free-ports.ts';
export { RunningProcess, startProcess } from './running-process.ts';
export type { ProcessOptions, Readiness } from './running-process.ts';
export {
  launchServiceProcess,
  ServiceProcess,
  startServiceProcess,
  workspace,
} from './service-process.ts';
export type { ServiceProcessOptions } from './service-process.ts';
export { startBroker, type Broker } from './start-broker.ts';
export { startDynamoDb, type DynamoDb } from './start-dynamodb.ts';
export {
  localPortVariables,
  startLocalStack,
  type LocalStack,
  type LocalStackOptions,
} from './start-local-stack.ts';
export { tiedToParent } from './tied-to-parent.ts';
