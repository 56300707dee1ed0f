export { aDevice, aReading } from './builders.ts';
export { freePort } from './free-port.ts';
export { ListeningPorts } from './listening-ports.ts';
export { metricValue } from './metric-value.ts';
export { describeWithMosquitto, startMosquitto } from './mosquitto.ts';
export type { Mosquitto } from './mosquitto.ts';
export { startTable } from './start-table.ts';
export type { StartedTable, TestTableLocation } from './start-table.ts';
export { until } from './until.ts';
