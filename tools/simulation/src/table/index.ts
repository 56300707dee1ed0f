export { TableEndpoint } from './table-endpoint.ts';
export { TableModel } from './table-model.ts';
export { createTableServer } from './table-server.ts';
export type { DelayRange, TableAnswer } from './table-endpoint.ts';
export type { Fault, TableFault } from './table-faults.ts';
