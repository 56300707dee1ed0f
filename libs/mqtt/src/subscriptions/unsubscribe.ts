import { ReasonCodes } from 'mqtt';
import type { MqttClient, Packet } from 'mqtt';

/** Reason codes from here on are failures (MQTT 5, 2.4). */
const firstFailure = 0x80;

/**
 * Ends subscriptions.
 * @throws Error when the broker refuses (MQTT 5; an UNSUBACK of MQTT 3.1.1 has no reason codes), or when the connection
 * ends before the broker responds
 */
export async function unsubscribe(client: MqttClient, filters: readonly string[]): Promise<void> {
  const unsuback = await client.unsubscribeAsync([...filters]);
  const refusal = reasonCodesOf(unsuback).find((code) => code >= firstFailure);
  if (refusal === undefined) return;
  const reason = ReasonCodes[refusal as keyof typeof ReasonCodes];
  throw new Error(`the broker does not end the subscription: ${reason}`);
}

interface Granted {
  granted?: number | number[];
}

function reasonCodesOf(packet: Packet | undefined): number[] {
  // mqtt-packet gives a list of codes, or none with MQTT 3.1.1, unlike its type.
  return packet?.cmd === 'unsuback' ? [(packet as Granted).granted ?? []].flat() : [];
}
