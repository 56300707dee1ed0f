import { setTimeout as sleep } from 'node:timers/promises';
import { unsubscribe } from './unsubscribe.ts';
import type { MqttClient, Packet } from 'mqtt';
import type { Logger } from 'pino';

export interface LeavingOptions {
  progress: () => Progress;
  signal: AbortSignal;
  log: Logger;
}

interface Progress {
  /** Messages so far. */
  received: number;
  /** Whether all of them are released and acknowledged. */
  settled: boolean;
}

/**
 * Unsubscribes, and resolves when the broker has no more messages queued for this client. MQTT
 * cannot ask for that, but a broker sends queued messages as soon as it may: with no message
 * unacknowledged, and none received before the response to a ping, the queue is empty.
 * @returns whether the client has left: not if the broker refuses, the connection is lost, or the signal aborts first
 */
export async function leaveGroup(
  client: MqttClient,
  filters: readonly string[],
  { log, ...options }: LeavingOptions,
): Promise<boolean> {
  try {
    await leave(client, filters, options);
    return true;
  } catch (error) {
    if (!options.signal.aborted)
      log.warn({ err: error }, 'leaving the shared-subscription group failed');
    return false;
  }
}

async function leave(
  client: MqttClient,
  filters: readonly string[],
  { progress, signal }: Pick<LeavingOptions, 'progress' | 'signal'>,
): Promise<void> {
  await within(unsubscribe(client, filters), signal);
  let isEmpty = false;
  while (!isEmpty) {
    while (!progress().settled) await pause(client, signal);
    const { received } = progress();
    await within(ping(client), signal);
    isEmpty = progress().received === received;
  }
}

async function pause(client: MqttClient, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!client.connected) throw new Error('the connection was lost');
  await sleep(5);
}

function ping(client: MqttClient): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const heard = ({ cmd }: Packet) => {
    if (cmd === 'pingresp') resolve(undefined);
  };
  const closed = () => reject(new Error('the connection was lost'));
  client.on('packetreceive', heard).on('close', closed);
  client.sendPing();
  return promise.finally(() => client.off('packetreceive', heard).off('close', closed));
}

/** Rejects when the signal aborts first. */
function within<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
