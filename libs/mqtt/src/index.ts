export { MqttMetrics } from './mqtt-metrics.ts';
export { mqttSettings } from './mqtt-settings.ts';
export { partitionOf } from './partition-of.ts';
export { selfTestTopic } from './self-test.ts';
export { Subscriber } from './subscriber.ts';
export type { Message } from './message.ts';
export type { UserPropertyPairs } from './user-properties.ts';
export type { SubscriberOptions } from './subscriber-options.ts';
