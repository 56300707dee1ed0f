import type { DeliveryRecord } from './ledger.ts';
import type { QoS } from 'mqtt-packet';

/** The delivery of one message to one client. */
export interface Delivery {
  readonly record: DeliveryRecord;
  /** The minimum of the message's and the subscription's QoS [MQTT-3.8.4-8]. */
  readonly qos: QoS;
  readonly retain: boolean;
  /** Subscription identifiers [MQTT-3.3.4-3]. */
  readonly identifiers: readonly number[];
  /** Packet identifier; undefined before the first attempt, unchanged by a redelivery [MQTT-4.4.0-1]. */
  packetId: number | undefined;
  /** Whether the message was sent over this connection or an earlier one of the session. */
  isSent: boolean;
  /** Whether the PUBREC was received, so that only a PUBREL may be sent again [MQTT-4.3.3-5, -6]. */
  isReleased: boolean;
}
