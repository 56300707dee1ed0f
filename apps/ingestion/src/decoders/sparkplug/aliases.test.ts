import { decode } from '../../../test/decoding.ts';
import { SparkplugDecoding } from '../../../test/sparkplug-decoding.ts';
import { moment } from '../../../test/sparkplug.ts';
import { topicFilter } from '../topic-filter.ts';

const int32 = 3;

let sparkplug: SparkplugDecoding;
beforeEach(() => {
  sparkplug = new SparkplugDecoding();
});

const readings: SparkplugDecoding['readings'] = (...message) => sparkplug.readings(...message);
const reasonOf: SparkplugDecoding['reasonOf'] = (...message) => sparkplug.reasonOf(...message);

describe('an alias', () => {
  const birth = [{ name: 'Offset', alias: 3, datatype: int32, intValue: 0 }];
  const data = [{ alias: 3, intValue: 4_294_967_288 }];

  it('means the name and the type of the birth', () => {
    readings('G/DBIRTH/E/D', birth);
    expect(readings('G/DDATA/E/D', data)[0]?.fields).toEqual({ Offset: -8 });
    expect(
      readings('G/DDATA/E/D', [{ name: 'Offset', intValue: 4_294_967_288 }])[0]?.fields,
    ).toEqual({ Offset: -8 });
  });

  it('is unknown before the birth, for another device, and after the birth of the node', () => {
    expect(reasonOf('G/DDATA/E/D', data)).toBe('unknown_alias');
    readings('G/DBIRTH/E/D', birth);
    expect(reasonOf('G/DDATA/E/D2', data)).toBe('unknown_alias');
    readings('G/NBIRTH/E', [], { timestamp: moment + 1 });
    expect(reasonOf('G/DDATA/E/D', data, { timestamp: moment + 2 })).toBe('unknown_alias');
  });

  it('has the meaning of the last birth before the data', () => {
    readings('G/NBIRTH/E', birth);
    readings('G/NBIRTH/E', [{ ...birth[0], name: 'Other' }], { timestamp: moment + 10 });
    const fieldsAt = (timestamp: number) => readings('G/NDATA/E', data, { timestamp })[0]?.fields;
    expect(fieldsAt(moment + 9)).toEqual({ Offset: -8 });
    expect(fieldsAt(moment + 11)).toEqual({ Other: -8 });
    expect(reasonOf('G/NDATA/E', data, { timestamp: moment - 1 })).toBe('unknown_alias');
  });

  it('is unknown in the millisecond in which its meaning changed', () => {
    readings('G/NBIRTH/E', [...birth, { name: 'Same', alias: 4, datatype: int32, intValue: 0 }]);
    readings(
      'G/NBIRTH/E',
      [
        { ...birth[0], name: 'Other' },
        { name: 'Same', alias: 4, datatype: int32, intValue: 0 },
      ],
      { timestamp: moment + 10 },
    );
    const mixed = [...data, { alias: 4, intValue: 1 }];
    const { drafts } = sparkplug.decode('G/NDATA/E', mixed, { timestamp: moment + 10 });
    expect(drafts.map(({ fields }) => fields)).toEqual([{ Same: 1 }, {}]);
  });

  it('is unknown for a value of another type than in the birth', () => {
    readings('G/NBIRTH/E', birth);
    expect(reasonOf('G/NDATA/E', [{ alias: 3, booleanValue: true }])).toBe('unknown_alias');
    expect(reasonOf('G/NDATA/E', [{ alias: 3, stringValue: '1' }])).toBe('unknown_alias');
    expect(readings('G/NDATA/E', [{ alias: 3, isNull: true }])[0]?.fields).toEqual({
      Offset: null,
    });
  });

  it('is unknown in data without a timestamp', () => {
    readings('G/NBIRTH/E', birth);
    expect(reasonOf('G/NDATA/E', data, { timestamp: undefined })).toBe('unknown_alias');
  });

  it('is unknown after a birth that could not be read or received', () => {
    readings('G/NBIRTH/E', birth);
    expect(() => decode(sparkplug.decoders, 'spBv1.0/G/NBIRTH/E', 'garbage')).toThrow();
    expect(reasonOf('G/NDATA/E', data)).toBe('unknown_alias');
    readings('G/NBIRTH/E', birth, { timestamp: moment + 1 });
    expect(readings('G/NDATA/E', data, { timestamp: moment + 2 })).toHaveLength(1);
    const filter = topicFilter('spBv1.0/#');
    const levels = ['spBv1.0', 'G', 'NBIRTH', 'E'];
    sparkplug.decoders[0]?.decode.missed?.({ filter, levels });
    expect(reasonOf('G/NDATA/E', data, { timestamp: moment + 3 })).toBe('unknown_alias');
  });

  it('survives a birth that is received twice', () => {
    readings('G/NBIRTH/E', []);
    readings('G/DBIRTH/E/D', birth);
    readings('G/NBIRTH/E', []);
    expect(readings('G/DDATA/E/D', data)).toHaveLength(1);
  });

  it('is unknown, rather than wrong, between an older birth and the next one', () => {
    readings('G/NBIRTH/E', birth);
    const older = { timestamp: moment - 10 };
    for (let copies = 0; copies < 2; copies += 1) {
      readings('G/NBIRTH/E', [{ ...birth[0], name: 'Old' }], older);
      expect(reasonOf('G/NDATA/E', data)).toBe('unknown_alias');
    }
    readings('G/NBIRTH/E', [{ ...birth[0], name: 'Next' }], { timestamp: moment - 5 });
    expect(readings('G/NDATA/E', data)[0]?.fields).toEqual({ Next: -8 });
  });

  it('is needed for the sign of a number of unknown type', () => {
    expect(readings('G/NDATA/E', [{ name: 'x', intValue: 7 }])[0]?.fields).toEqual({ x: 7 });
    expect(reasonOf('G/NDATA/E', [{ name: 'x', intValue: 4_294_967_288 }])).toBe('unknown_alias');
  });
});
