import type { IConnackPacket } from 'mqtt';

/** Whether the broker accepts the connection: 0 is success in MQTT 5's reason code and 3.1.1's return code. */
export function isAccepted({ reasonCode, returnCode }: IConnackPacket): boolean {
  return (reasonCode ?? returnCode) === 0;
}
