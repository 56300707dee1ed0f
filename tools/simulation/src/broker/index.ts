export { Broker } from './broker.ts';
export { emqx } from './profiles/emqx.ts';
export { hivemq } from './profiles/hivemq.ts';
export { mochi } from './profiles/mochi.ts';
export { mosquitto } from './profiles/mosquitto.ts';
export { rumqttd } from './profiles/rumqttd.ts';
export { vernemq } from './profiles/vernemq.ts';
export { reasonCode } from './reason-codes.ts';
export type { BrokerOptions, RestartOptions } from './broker.ts';
export type { DeliveryRecord, DeliveryState, DropCause } from './ledger.ts';
export type { Message, Publication, PublishProperties } from './message.ts';
export type {
  BrokerProfile,
  Durability,
  GroupRules,
  InFlightRules,
  QueueRules,
} from './profile.ts';
