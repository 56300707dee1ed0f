import { devicePartition, placeKey, roomKey, shardCountAt } from '@engawa/keys';
import {
  blockItem,
  bucketStart,
  closedBuckets,
  deviceItem,
  invalidRollupItem,
  membershipItem,
  packReadings,
  parseExactJson,
  blockSpanOf,
} from '@engawa/model';
import { aDevice } from '@engawa/testing';
import { correctionOf, itemsOfCorrections, randomCorrection } from './model-corrections.ts';
import { beforeSilence, lastMove, randomReadings } from './random-world.ts';
import type { Key } from '@engawa/keys';
import type { Fields, Reading } from '@engawa/model';
import type { QueryFixture } from '../query-fixture.ts';
import type { Random } from './random.ts';
import type { ModelDevice, DeviceSlice, ValuesByField, World } from './world.ts';

interface ModelBlock {
  item: Key;
  device: string;
  expiresAt: number;
}

/** Does to the table what the services do, and to the world what follows. */
export class ModelTable {
  readonly #fixture: QueryFixture;
  readonly #random: Random;
  readonly #world: World;
  #blocks: ModelBlock[] = [];
  #versions = 0;
  #made = 0;
  #stored = 0;

  constructor(fixture: QueryFixture, random: Random, world: World) {
    this.#fixture = fixture;
    this.#random = random;
    this.#world = world;
  }

  async build(): Promise<void> {
    const { devices, rooms, slices, from, to } = this.#world;
    const places = rooms.flatMap(({ place, room }) => [placeKey(place), roomKey(place, room)]);
    await this.#fixture.putAll([...places, ...slices.flatMap(membershipsOf)]);
    for (const device of devices) {
      // Then silent for longer than a range and the day before it.
      if (this.#random.chance(0.4)) await this.#store(device, beforeSilence(from));
      await this.#store(device, { from, to });
      if (this.#random.chance(0.5)) await this.#store(device, { from, to });
    }
  }

  /** Something happens between two questions. */
  async change(): Promise<void> {
    const { devices } = this.#world;
    const device = devices.length > 0 ? this.#random.pick(devices) : undefined;
    const die = this.#random.next();
    if (device === undefined || die < 0.2) await this.#passTime();
    else if (die < 0.4) await this.#storeLate(device);
    else if (die < 0.75) await this.#correct(device);
    else if (die < 0.92) await this.#move(device);
    else await this.#delete(device);
  }

  /** As ingestion: the span first, then the blocks, then the rollups of hours and days that are wrong now. */
  async #store(device: ModelDevice, range: { from: number; to: number }): Promise<void> {
    const known = randomReadings(this.#random, device, range);
    const readings = known.map(({ time, values }) => ({ time, fields: fieldsOf(values) }));
    const isPacked = this.#random.chance(0.6);
    const packs = isPacked ? packReadings(device.id, readings) : readings.map((one) => [one]);
    if (this.#random.chance(0.3) && packs[0] !== undefined) packs.push(packs[0].slice(0, 1)); // again
    device.span = Math.max(device.span, ...packs.map(blockSpanOf));
    device.lastSeenAt = Math.max(device.lastSeenAt, ...readings.map(({ time }) => time));
    await this.#fixture.putAll([itemOf(device)]);
    const blocks = packs.map((pack) => this.#blockOf(device, pack));
    await this.#fixture.putAll(blocks.map(({ item }) => item));
    this.#blocks.push(...blocks);
    for (const [index, pack] of packs.entries()) {
      const { expiresAt } = blocks[index] ?? { expiresAt: Infinity };
      for (const { time, fields } of pack) {
        const values = known.find((one) => one.time === time && isSame(fields, one.values))?.values;
        if (values === undefined) throw new Error('a reading that was not given');
        this.#world.readings.push({
          device: device.id,
          time,
          values,
          expiresAt,
          rank: ++this.#stored,
        });
      }
    }
    await this.#invalidate(
      device,
      readings.map(({ time }) => time),
    );
  }

  #blockOf(device: ModelDevice, readings: readonly Reading[]): ModelBlock {
    const { id, retention, shards } = device;
    const newest = readings.at(-1)?.time ?? 0;
    const ttl = Number.isFinite(retention)
      ? Math.ceil(newest / 1000) + retention / 1000
      : undefined;
    const shard = this.#random.int(0, shardCountAt(epochsOf(shards), newest) - 1);
    const receipt = { receivedAt: 0, origin: 'test', sequence: ++this.#made };
    const item = blockItem({ device: id, readings, shard, receipt, ...(ttl && { ttl }) });
    return { item, device: id, expiresAt: ttl === undefined ? Infinity : ttl * 1000 };
  }

  async #invalidate({ id, retention }: ModelDevice, times: readonly number[]): Promise<void> {
    const { now } = this.#world;
    const kept = times.filter((time) => bucketStart(time, 'PT1H') + retention > now);
    const items = closedBuckets(kept, now).map((bucket) =>
      invalidRollupItem(id, bucket, `version ${++this.#versions}`),
    );
    await this.#fixture.putAll(items);
  }

  /** Not for an hour that has begun to expire, whose rollup stays as it is (docs/adr/0011). */
  async #storeLate(device: ModelDevice): Promise<void> {
    const { from, to, now } = this.#world;
    const hour = 3_600_000;
    const oldest = bucketStart(Math.max(from, now - device.retention), 'PT1H') + hour;
    if (oldest < to) await this.#store(device, { from: oldest, to });
  }

  /** One to three corrections and undone ones; as the registry, with a new version on the device. */
  async #correct(device: ModelDevice): Promise<void> {
    const { corrections } = this.#world;
    for (let count = this.#random.int(1, 3); count > 0; count--) {
      const own = corrections.filter((one) => one.device === device.id && !one.isUndone);
      if (own.length > 0 && this.#random.chance(0.3)) this.#random.pick(own).isUndone = true;
      else corrections.push(randomCorrection(this.#random, this.#world, device));
    }
    const made = corrections
      .map((one, index) => correctionOf(one, index + 1, fieldsOf))
      .filter((one) => one.device === device.id);
    // Once a device has rows, it keeps them.
    const hasRows = device.corrections?.rows !== undefined || this.#random.chance(0.5);
    const { items, rows } = itemsOfCorrections(made, hasRows);
    const version = `version ${++this.#versions}`;
    device.corrections = { version, made: made.length, ...(rows && { rows }) };
    await this.#fixture.putAll([...items, itemOf(device)]);
  }

  /** Blocks expire, and DynamoDB has deleted some of the expired blocks. */
  async #passTime(): Promise<void> {
    const hour = 3_600_000;
    this.#world.now += this.#random.int(1, 60) * hour;
    const gone = this.#blocks.filter(
      ({ expiresAt }) => expiresAt < this.#world.now && this.#random.chance(0.7),
    );
    for (const { item } of gone) await this.#fixture.delete(item);
    this.#blocks = this.#blocks.filter((block) => !gone.includes(block));
  }

  /** To another room from some time on: what was there at that time ends, what was to come is not. */
  async #move({ id }: ModelDevice): Promise<void> {
    const world = this.#world;
    const since = this.#random.int(world.from, lastMove(world));
    const own = world.slices.filter(({ device }) => device === id);
    const later = own.filter((slice) => slice.since >= since);
    for (const { pk, sk } of later.flatMap(membershipsOf)) await this.#fixture.delete({ pk, sk });
    world.slices = world.slices.filter((slice) => !later.includes(slice));
    for (const slice of own) if (slice.until > since) slice.until = since;
    world.slices.push({ device: id, ...this.#random.pick(world.rooms), since, until: Infinity });
    const changed = world.slices.filter(({ device }) => device === id);
    await this.#fixture.putAll(changed.flatMap(membershipsOf));
  }

  /** With all that there is of it, as the registry's purge does it. */
  async #delete({ id, shards }: ModelDevice): Promise<void> {
    const world = this.#world;
    const own = world.slices.filter(({ device }) => device === id);
    for (const { pk, sk } of own.flatMap(membershipsOf)) await this.#fixture.delete({ pk, sk });
    for (let shard = 0; shard < shards; shard++) {
      await this.#fixture.deletePartition(devicePartition(id, shard));
    }
    this.#blocks = this.#blocks.filter(({ device }) => device !== id);
    world.devices = world.devices.filter((device) => device.id !== id);
    world.slices = world.slices.filter(({ device }) => device !== id);
    world.readings = world.readings.filter(({ device }) => device !== id);
    world.corrections = world.corrections.filter(({ device }) => device !== id);
  }
}

function epochsOf(shards: number) {
  return shards === 1 ? [] : [{ since: 0, count: shards, from: 0 }];
}

function itemOf({ id, span, shards, lastSeenAt, registeredAt, corrections }: ModelDevice): object {
  const epochs = shards > 1 && { shards: epochsOf(shards) };
  const device = aDevice({
    id,
    span,
    lastSeenAt,
    registeredAt,
    ...epochs,
    ...(corrections && { corrections }),
  });
  return deviceItem(device, { list: 1, seen: 1 });
}

function membershipsOf({ room, until, ...slice }: DeviceSlice) {
  const membership = { ...slice, ...(until < Infinity && { until }) };
  return [membershipItem(membership), membershipItem({ ...membership, room })] as unknown as Key[];
}

function fieldsOf(values: ValuesByField): Fields {
  const members = Object.entries(values).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return parseExactJson(`{${members.join(',')}}`) as Fields;
}

function isSame(fields: Fields, values: ValuesByField): boolean {
  return (
    JSON.stringify(Object.entries(fields).sort()) ===
    JSON.stringify(Object.entries(fieldsOf(values)).sort())
  );
}
