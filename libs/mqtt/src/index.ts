export { MqttMetrics } from './mqtt-metrics.ts';
export { mqttSettings } from './mqtt-settings.ts';
export { Subscriber } from './subscriber.ts';
export type { Message } from './message.ts';
export type { SubscriberOptions } from './subscriber-options.ts';
