export { compiledCode } from './compiled-code.ts';
export { EngineUnavailable } from './engine-unavailable.ts';
export { findChromium } from './find-chromium.ts';
export { findEngine, type EngineOptions } from './find-engine.ts';
export { findFreePort, findFreePorts, isPortFree } from './free-ports.ts';
export { pathWithSbin } from './path-with-sbin.ts';
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
export { startDynamoDb, type DynamoDb, type DynamoDbOptions } from './start-dynamodb.ts';
export {
  localPortVariables,
  startLocalStack,
  type LocalStack,
  type LocalStackOptions,
} from './start-local-stack.ts';
export { startNpmRegistry, type NpmRegistry, type RegistryPackage } from './start-npm-registry.ts';
export { tiedToParent } from './tied-to-parent.ts';
