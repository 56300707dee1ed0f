import type { DeliveryRecord } from './ledger.ts';
import type { QoS } from 'mqtt-packet';

/** A message on its way to one client. */
export interface Delivery {
  readonly record: DeliveryRecord;
  /** The lower one of the message's and the subscription's [MQTT-3.8.4-8]. */
  readonly qos: QoS;
  readonly retain: boolean;
  /** Subscription identifiers [MQTT-3.3.4-3]. */
  readonly identifiers: readonly number[];
  /** Packet identifier, from its first sending on; kept when it is sent again [MQTT-4.4.0-1]. */
  packetId: number | undefined;
  /** Whether it was sent over this connection or an earlier one of the session. */
  isSent: boolean;
  /** Whether the PUBREC has come, so that only a PUBREL may be sent again [MQTT-4.3.3-5, -6]. */
  isReleased: boolean;
}
