export { TableEndpoint } from './table-endpoint.ts';
export { TableModel } from './table-model.ts';
export { sdkHandler } from './sdk-handler.ts';
export type { DelayRange, TableAnswer } from './table-endpoint.ts';
export type { Fault, TableFault } from './table-faults.ts';
