import { listMatching } from '../lists/list-matching.ts';
import { isSelected, selectsAll, selectsNone } from './device-filter.ts';
import { listBySeen } from './list-by-seen.ts';
import { devicesOf, defaultMaxPlaced } from './list-named.ts';
import { pageOf, readPlacements, seenSortKey } from './placed-devices.ts';
import type { MergedPage } from '@engawa/table';
import type { Selection } from './device-filter.ts';
import type { SeenListRequest, SeenRow } from './list-by-seen.ts';
import type { DeviceList } from './list-named.ts';

export type SeenReader = (question: SeenListRequest) => Promise<MergedPage<SeenRow>>;

/**
 * Reads the selected devices in the order in which they were last seen, for one request of a
 * client: one Query per shard and step of the list of all devices. Where the filter names a place
 * that is not large, its devices are read and sorted instead, once (docs/adr/0046).
 */
export function seenReader(list: DeviceList, selection: Selection): SeenReader {
  if (selectsAll(selection)) return (question) => listBySeen(list, question);
  if (selectsNone(selection)) return () => Promise.resolve({ rows: [] });
  let placed: Promise<SeenRow[] | undefined> | undefined;
  return async (question) => {
    placed ??= placedRows(list, selection, question);
    const rows = await placed;
    if (rows === undefined) {
      return listMatching(
        question,
        (request) => listBySeen(list, request),
        (read) => read.filter(({ device }) => isSelected(selection, device)),
      );
    }
    const { before = Infinity, newestFirst: descending } = question;
    const notSeenSince = rows.filter(({ device }) => device.lastSeenAt < before);
    return pageOf(notSeenSince, { ...question, descending });
  };
}

async function placedRows(
  { table, maxPlaced = defaultMaxPlaced }: DeviceList,
  selection: Selection,
  { budget, signal }: SeenListRequest,
): Promise<SeenRow[] | undefined> {
  const { place, room } = selection.filter;
  if (place === undefined) return undefined;
  const question = { place, maxDevices: maxPlaced.seen, budget, signal };
  const placements = await readPlacements(table, question);
  if (placements === undefined) return undefined;
  const there = placements.filter((placed) => (room ?? placed.room) === placed.room);
  const devices = await devicesOf(
    table,
    there.map(({ device }) => device),
    { budget, signal },
  );
  return devices
    .filter((device) => isSelected(selection, device))
    .map((device) => ({ sortKey: seenSortKey(device), device }));
}
