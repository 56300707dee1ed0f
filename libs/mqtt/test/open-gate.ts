import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { AcknowledgementGate } from '../src/gate/acknowledgement-gate.ts';
import { unlimitedAdmission } from '../src/options/admission.ts';
import { CompletePackets, packetType, splitPackets, typeOf } from '../src/gate/frames.ts';
import { Window } from '../src/gate/window.ts';

/** A gate with the broker's end of its connection, and the bytes that the broker receives. */
export function openGate({ window = 100, admission = unlimitedAdmission } = {}) {
  const [socket, broker] = duplexPair();
  const strays: number[] = [];
  const shared = new Window(window, admission);
  const gate = new AcknowledgementGate({
    open: () => socket,
    window: shared,
    onStray: (id) => strays.push(id),
  });
  /** Adds a message to the window and, with a packet identifier, its acknowledgement. */
  const hold = (messageId?: number) => {
    shared.add();
    const acknowledgement = messageId === undefined ? undefined : gate.hold(messageId);
    return () => {
      shared.remove();
      acknowledgement?.becameDurable();
    };
  };
  const splitter = new CompletePackets();
  const seen: Buffer[] = [];
  broker.on('data', (chunk: Buffer) => seen.push(...splitPackets(splitter.push(chunk))));
  const acknowledged = () =>
    seen
      .filter((frame) => typeOf(frame) === packetType.puback)
      .map((frame) => frame.readUInt16BE(2));
  return { gate, hold, broker, seen, strays, acknowledged };
}

export async function settled(): Promise<void> {
  for (let index = 0; index < 5; index++) await turn();
}
