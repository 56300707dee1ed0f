import { RecordSplitter, cellText, rawCells, textCell } from './records.ts';

const csv = 'time,name\r\n1.50,"a ""b"", c\r\nd"\r\n2,\r\n';

test.each(Array.from({ length: csv.length }, (_, at) => at))(
  'CSV cut at %i has the same records',
  (at) => {
    const splitter = new RecordSplitter('CSV');
    const records = [...splitter.push(csv.slice(0, at)), ...splitter.push(csv.slice(at))];
    expect(records).toEqual(['time,name', '1.50,"a ""b"", c\r\nd"', '2,']);
    expect(splitter.isComplete).toBe(true);
  },
);

test('a text that ends within a record is not complete', () => {
  const splitter = new RecordSplitter('NDJSON');
  expect(splitter.push('{"a":1}\n{"a":')).toEqual(['{"a":1}']);
  expect(splitter.isComplete).toBe(false);
});

test('cells stay as they are written', () => {
  expect(rawCells('1.50,"a ""b"", c\r\nd",')).toEqual(['1.50', '"a ""b"", c\r\nd"', '']);
  expect(rawCells('1,2')).toEqual(['1', '2']);
});

test.each(['meter', 'a,b', 'a "b"', '=SUM(A1)', '-1', 'two\r\nlines'])(
  'a cell has the text %j',
  (text) => {
    expect(cellText(textCell(text))).toBe(text);
  },
);

test('a spreadsheet runs no text as a formula', () => {
  expect(textCell('=SUM(A1)')).toBe("'=SUM(A1)");
});
