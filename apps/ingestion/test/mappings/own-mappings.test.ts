import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBeforeAll } from '@engawa/testing';
import { chooseDecoders } from '../../src/decoders/index.ts';
import { ownDecoders } from '../../src/mappings/own-decoders.ts';
import { IngestionFixture } from '../ingestion-fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'mappings-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** A folder with these files. */
function folderOf(name: string, files: Record<string, string>): string {
  const folder = join(root, name);
  mkdirSync(folder);
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

const mapping = (name: string, topic: string, more = '') =>
  `mapping: ${name}\nmessages:\n  - topic: ${topic}\n    device: '{device}'\n${more}`;

describe('MAPPINGS_DIR', () => {
  it('has the mappings of its files, in the order of their names', () => {
    const folder = folderOf('several', {
      '20-pond.json': '{"mapping":"pond","messages":[{"topic":"pond/{device}","device":"p"}]}',
      '10-bed.yaml': mapping('bed', 'bed/{device}'),
      '30-well.yml': mapping('well', 'well/{device}/{rest...}'),
      'notes.txt': 'no mapping',
      '..data.yaml': 'as Kubernetes mounts files',
    });
    const choices = ownDecoders(folder, chooseDecoders('native,esphome'));
    expect(
      choices.map(({ kind, filters }) => [kind.name, ...filters.map(({ text }) => text)]),
    ).toEqual([
      ['bed', 'bed/+'],
      ['pond', 'pond/+'],
      ['well', 'well/+/#'],
    ]);
  });

  it('names file, line and reason of all that is wrong', () => {
    const folder = folderOf('wrong', {
      'a.yaml': mapping('a', 'a/+'),
      'b.yaml': 'mapping: B\nmessages: []\n',
      'c.yaml': mapping('esphome', 'c/{device}'),
      'd.yaml': mapping('d', 'd/{device}'),
      'e.yaml': mapping('d', 'e/{device}'),
    });
    const read = () => ownDecoders(folder, chooseDecoders('native,esphome'));
    expect(read).toThrow(`MAPPINGS_DIR: correct the mappings in ${folder}`);
    expect(read).toThrow(`${folder}/a.yaml:3: messages[0].topic: "+" is not a level`);
    expect(read).toThrow(`${folder}/b.yaml:1: mapping: Invalid string`);
    expect(read).toThrow(`${folder}/b.yaml:2: messages: Too small`);
    expect(read).toThrow(`${folder}/c.yaml: the name esphome is that of a decoder of DECODERS`);
    expect(read).toThrow(`${folder}/e.yaml: the name d is that of ${folder}/d.yaml`);
  });

  it('has few enough topics to compare each message with them', () => {
    const files = Array.from({ length: 21 }, (_, file) => {
      const messages = Array.from({ length: 50 }, (__, n) => ({
        topic: `t/${file}/${n}`,
        device: 'd',
      }));
      return [`${file}.json`, JSON.stringify({ mapping: `m${file}`, messages })] as const;
    });
    const folder = folderOf('many', Object.fromEntries(files));
    expect(() => ownDecoders(folder, [])).toThrow('have 1050 topics, at most 1000 are read');
  });

  it('must be a folder', () => {
    expect(() => ownDecoders(join(root, 'none'), [])).toThrow(
      'MAPPINGS_DIR cannot be read: ENOENT',
    );
  });
});

describe('the service', () => {
  const fixture = openBeforeAll(() => IngestionFixture.open());

  it('stores readings by a mapping, and what it does not take as dead letters', async () => {
    const tank = mapping(
      'tank',
      'engawa/{device}/readings',
      '    fields: [{ from: l, name: level }]\n',
    );
    await fixture.start({ MAPPINGS_DIR: folderOf('tank', { 'tank.yaml': tank }) });
    await fixture.publish('engawa/tank-1/readings', '{"l":7.5}');
    await fixture.publish('engawa/tank-1/readings', 'full');
    await fixture.settled(2);
    const readings = await fixture.readingsOf('tank-1');
    expect(readings.map(({ fields }) => fields)).toEqual([{ level: 7.5 }]);
    const refused = { decoder: 'tank', outcome: 'dead_lettered' };
    expect(await fixture.metric('engawa_ingest_messages_total', refused)).toBe(1);
    await fixture.service?.close();
  });

  it('refuses to start with a mapping that is none', async () => {
    const folder = folderOf('none-of-it', { 'a.yaml': 'mapping: a\n' });
    await expect(fixture.start({ MAPPINGS_DIR: folder })).rejects.toThrow(
      `${folder}/a.yaml:1: messages: Invalid input`,
    );
  });
});
