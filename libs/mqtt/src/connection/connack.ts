import type { IConnackPacket } from 'mqtt';

/** Whether the broker accepts the connection: 0 is success in the reason code of MQTT 5 and the return code of 3.1.1. */
export function isAccepted({ reasonCode, returnCode }: IConnackPacket): boolean {
  return (reasonCode ?? returnCode) === 0;
}
