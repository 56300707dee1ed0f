import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '@engawa/errors';
import { deviceKey } from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { correctedChunks } from '../corrected-chunks.ts';
import { readingSlices } from '../reading-slices.ts';
import { expiredBefore, expiredBeforeBlocks } from '../retention.ts';
import { scanReadings } from '../scan-readings.ts';
import { ascendingCorrections } from '../summaries-context.ts';
import { oneHour, runsOf } from '../summary-ranges.ts';
import { unitsOfDevice } from '../../devices/device-store.ts';
import { sharesOfStays, staysOf } from './state-shares.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Overlay } from '../../corrections/overlay.ts';
import type { DeviceStore } from '../../devices/device-store.ts';
import type { TimeRange } from '../../time-range.ts';
import type { Period } from '../period.ts';
import type { ValueSearch } from '../value-search.ts';
import type { StateShare, StatesRequest, StateStay } from './state-shares.ts';

export interface StateReaderOptions {
  table: Pick<Table, 'get' | 'query'>;
  search: Pick<ValueSearch, 'findStates'>;
  corrections: DeviceStore['findCorrections'];
}

/** The request with the stays of the device, its item, and the retention of its blocks. */
interface StatesWork extends StatesRequest {
  item: Device;
  overlay: Overlay;
  stays: readonly StateStay[];
  /** Retention of the blocks that were read, in milliseconds; Infinity without expiry. */
  retentions: number[];
}

/** Computes the states of devices from their readings: no rollup has the values of texts. */
export class StateReader {
  readonly #options: StateReaderOptions;

  constructor(options: StateReaderOptions) {
    this.#options = options;
  }

  /**
   * A share of each stay of a device in the buckets, from the first bucket on; fewer buckets where the budget is spent.
   * Blocks are read eventually consistent.
   * @throws Problem `invalid-request` where the first bucket alone exceeds the budget
   */
  async sharesOf(request: StatesRequest): Promise<StateShare[]> {
    const { signal, now, device } = request;
    const { table } = this.#options;
    if (request.firstBucket.isSpent) throw tooExpensive();
    const budget = { charge: (units: number) => chargeUnits(request, units) };
    const stays = staysOf(request, await this.#lastValues(request, budget));
    if (stays.length === 0) return [];
    const ranges = stays.map(({ timeline: { from, to } }) => ({ from, to }));
    const overlay = await this.#overlayOf(device, ranges, budget);
    // The current item: with an older span, a part of a long block would be missed.
    budget.charge(unitsOfDevice);
    const stored = unlessDeleted(await table.get(deviceKey(device), { consistent: true, signal }));
    if (stored === undefined) return [];
    const item = parseDevice(stored);
    const retentions = stays.flatMap(({ found }) => found?.retention ?? []);
    const work: StatesWork = { ...request, item, overlay, stays, retentions };
    for (const run of runsOf(ranges, oneHour - 1)) if (!(await this.#readRun(work, run))) break;
    const whole = stays.map(({ since, timeline: { to } }) => ({ from: since, to }));
    const expiry = { table, device: item, ranges: whole, retentions, now, budget, signal };
    const lost = retentions.length > 0 ? expiredBefore(expiry) : await expiredBeforeBlocks(expiry);
    // Nothing of a device has expired that was registered within the retention.
    return sharesOfStays(work, lost > item.registeredAt ? lost : -Infinity);
  }

  /** Of all corrections that touch the ranges. */
  async #overlayOf(
    device: string,
    ranges: readonly TimeRange[],
    budget: Pick<RequestBudget, 'charge'>,
  ): Promise<Overlay> {
    const from = Math.min(...ranges.map((range) => range.from));
    const to = Math.max(...ranges.map((range) => range.to));
    const request = ascendingCorrections({ from, to }, to);
    const { counted } = await this.#options.corrections(device, request, budget);
    return counted;
  }

  /** The last values before the first bucket, however old they are, of the stay that began before it. */
  async #lastValues(
    { device, periods, edges, fields, signal, now }: StatesRequest,
    budget: Pick<RequestBudget, 'charge'>,
  ) {
    const [before = Infinity] = edges;
    const begun = periods.find((period) => {
      return period.from <= before && before < period.to && sinceOf(period) < before;
    });
    if (begun === undefined || before >= now) return undefined;
    const names = [...fields];
    const search = { device, before, since: sinceOf(begun), names, budget, signal };
    return this.#options.search.findStates(search);
  }

  /** @returns whether all readings of the run were read */
  async #readRun(work: StatesWork, run: TimeRange): Promise<boolean> {
    const { item: device, overlay, stays, retentions, now, signal } = work;
    const budget = { charge: (units: number) => chargeUnits(work, units) };
    const scan = { table: this.#options.table, device, now, budget, signal, isConsistent: false };
    const inside = stays.filter(
      ({ timeline }) => timeline.from >= run.from && timeline.to <= run.to,
    );
    const add = adderTo(inside, work.seen);
    for await (const chunk of correctedChunks(scanReadings({ ...scan, ...run }), overlay, run)) {
      if (chunk.retention !== undefined) retentions.push(chunk.retention);
      for (const slice of readingSlices(chunk.readings)) {
        for (const reading of slice) add(reading);
        if (slice.length < chunk.readings.length) await nextTurn();
      }
      if (mayStop(work, chunk.readings.at(-1)?.time ?? run.from)) return false;
    }
    for (const { timeline } of inside) timeline.end();
    return true;
  }
}

/** Also before the range. */
function sinceOf({ since, from }: Period): number {
  return since ?? from;
}

/** Returns a function that adds readings, in order of time, to the stays that contain them. */
function adderTo(stays: readonly StateStay[], seen: Set<string>): (reading: Reading) => void {
  let index = 0;
  return (reading) => {
    while (reading.time >= (stays[index]?.timeline.to ?? Infinity)) {
      stays[index]?.timeline.end();
      index += 1;
    }
    const timeline = stays[index]?.timeline;
    if (timeline === undefined || reading.time < timeline.from) return; // between two stays
    timeline.add(reading);
    for (const name of Object.keys(reading.fields)) seen.add(name);
  };
}

/** The first bucket of a page may cost as much again as the page: without it, the page would have nothing. */
function chargeUnits({ budget, firstBucket }: StatesRequest, units: number): void {
  if (budget.isSpent) firstBucket.charge(units);
  budget.charge(units);
}

/** Whether the page has enough buckets, or may have no more of them. */
function mayStop({ budget, firstBucket, edges, stays, maxValues }: StatesWork, reached: number) {
  const size = stays.reduce((sum, { timeline }) => sum + timeline.size, 0);
  if (!budget.isSpent && size < maxValues) return false;
  if (reached >= (edges[1] ?? Infinity)) return true;
  if (firstBucket.isSpent) throw tooExpensive();
  return false;
}

function tooExpensive(): Problem {
  const message =
    'must be shorter, since the states of one bucket exceed the limits of one request';
  return new Problem('invalid-request', `query.every ${message}.`, {
    fieldErrors: [{ path: 'query.every', message }],
  });
}
