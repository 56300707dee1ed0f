export { freePort } from './free-port.ts';
export { metricValue } from './metric-value.ts';
export { describeWithMosquitto, startMosquitto } from './mosquitto.ts';
export type { Mosquitto } from './mosquitto.ts';
export { until } from './until.ts';
