import type { IConnackPacket } from 'mqtt';

/** Whether the broker accepts the connection. MQTT 5 has a reason code, MQTT 3.1.1 a return code; 0 is success in both. */
export function isAccepted({ reasonCode, returnCode }: IConnackPacket): boolean {
  return (reasonCode ?? returnCode) === 0;
}
