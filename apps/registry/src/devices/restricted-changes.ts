import { Problem } from '@engawa/errors';
import type { Device } from '@engawa/model';
import type { AllowedStays } from '../placements/allowed-stays.ts';

/** Reads where the device was. */
type ReadStays = () => Promise<Pick<AllowedStays, 'isAll'>>;

/**
 * Refuses a status that a client restricted to places may not set (docs/adr/0104): a pending device hides its readings
 * wherever they were or will be taken, and an approval shows them.
 * @throws Problem `beyond-places`
 */
export async function expectAllowedStatus(
  { id, status: current }: Device,
  status: Device['status'],
  stays: ReadStays,
): Promise<void> {
  if (status === current) return;
  if (status === 'pending') {
    const effect = 'would hide its readings of all places, also of later ones';
    throw beyondPlaces(id, `\`pending\` ${effect}. A correction hides readings of your places.`);
  }
  if ((await stays()).isAll) return;
  throw beyondPlaces(id, 'It was at other places, and approval would show its readings there.');
}

/** Refuses to delete readings that were taken elsewhere. @throws Problem `beyond-places` */
export async function expectAllowedDeletion({ id }: Device, stays: ReadStays): Promise<void> {
  if ((await stays()).isAll) return;
  throw beyondPlaces(id, 'It was at other places, and its readings there would be deleted.');
}

/** A device without a place is beyond the reach of every client that is restricted to places. */
export function refuseRemoval({ id }: Device): never {
  throw beyondPlaces(
    id,
    'Without a place it would be out of your reach. Move it to another place.',
  );
}

function beyondPlaces(device: string, reason: string): Problem {
  const detail = `The change of the device ${JSON.stringify(device)} reaches beyond the places of your token.`;
  return new Problem('beyond-places', `${detail} ${reason}`);
}
