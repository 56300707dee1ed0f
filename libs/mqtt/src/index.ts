export { MqttMetrics } from './mqtt-metrics.ts';
export { mqttSettings } from './mqtt-settings.ts';
export { Subscriber } from './subscriber.ts';
export type { Message, SubscriberOptions } from './subscriber.ts';
