export { TableEndpoint } from './table-endpoint.ts';
export { TableModel } from './table-model.ts';
export { sdkHandler } from './sdk-handler.ts';
export type { DelayRange, TableResponse } from './table-endpoint.ts';
export type { FaultEffect, TableFault } from './table-faults.ts';
