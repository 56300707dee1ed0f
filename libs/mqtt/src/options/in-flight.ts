/**
 * Is told of the QoS 1 messages that a broker has in flight to this process: all that occupy the broker's window,
 * ignored and repeated ones included. An acknowledgement waits for those of earlier messages [MQTT-4.6.0-2].
 */
export interface InFlightListener {
  received(): void;
  /** @param count messages whose acknowledgements have been sent */
  acknowledged(count: number): void;
  /** @param count messages of a closed connection; the broker delivers them again */
  lost(count: number): void;
}
