import { findFreePorts } from '@engawa/embedded';
import { defaultPorts } from '../addresses.ts';
import type { Ports } from '../addresses.ts';

/** A free port for everything, so that the demo gets in nobody's way. */
export async function freePorts(): Promise<Ports> {
  const names = Object.keys(defaultPorts);
  const ports = await findFreePorts(names.length);
  return Object.fromEntries(names.map((name, index) => [name, ports[index] ?? 0])) as Ports;
}
