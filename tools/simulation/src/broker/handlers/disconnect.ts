import { ProtocolViolation } from '../connection.ts';
import { reasonCode } from '../reason-codes.ts';
import { expiryOfSeconds } from './connect.ts';
import type { Connection } from '../connection.ts';
import type { Session } from '../session.ts';
import type { IDisconnectPacket } from 'mqtt-packet';

/** MQTT 5, 3.14. */
export function handleDisconnect(
  connection: Connection,
  session: Session,
  packet: IDisconnectPacket,
): void {
  const expirySeconds = packet.properties?.sessionExpiryInterval;
  if (expirySeconds !== undefined) {
    if (session.expiryMs === 0 && expirySeconds > 0)
      throw new ProtocolViolation(
        reasonCode.protocolError,
        'a session expiry interval after a CONNECT without one (3.14.2.2.2)',
      );
    session.expiryMs = expiryOfSeconds(expirySeconds);
  }
  connection.isWillDiscarded = packet.reasonCode !== reasonCode.disconnectWithWill;
  connection.close();
}
