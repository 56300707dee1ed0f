/** Reason codes that the broker sends (MQTT 5, 2.4). */
export const reasonCode = {
  success: 0x00,
  disconnectWithWill: 0x04,
  noMatchingSubscribers: 0x10,
  noSubscriptionExisted: 0x11,
  malformedPacket: 0x81,
  protocolError: 0x82,
  clientIdentifierNotValid: 0x85,
  notAuthorized: 0x87,
  serverUnavailable: 0x88,
  serverShuttingDown: 0x8b,
  badAuthenticationMethod: 0x8c,
  keepAliveTimeout: 0x8d,
  sessionTakenOver: 0x8e,
  topicFilterInvalid: 0x8f,
  topicNameInvalid: 0x90,
  packetIdentifierNotFound: 0x92,
  topicAliasInvalid: 0x94,
} as const;

const badUserNameOrPassword = 0x86;
const banned = 0x8a;

/** The CONNACK return code of MQTT 3.1.1 (table 3.1) with the meaning of a reason code of MQTT 5. */
export function returnCodeOf(code: number): number {
  switch (code) {
    case reasonCode.success:
      return 0;
    case reasonCode.clientIdentifierNotValid:
      return 2;
    case badUserNameOrPassword:
      return 4;
    case reasonCode.notAuthorized:
    case banned:
      return 5;
    default:
      return 3;
  }
}
