import { key, outcomeOf, put, simulateTable } from './simulated-table.ts';
import type { AttributeValue, Document, Item } from '@engawa/dynamodb-simulator/rules';

/** Documented behaviour in which the embedded engine differs; DynamoDB Local agrees with the model. */
const list = (...members: string[]): AttributeValue => ({ L: members.map((S) => ({ S })) });

function update(before: Item, UpdateExpression: string, values: Item = {}, more: Document = {}) {
  const table = simulateTable();
  table.handle('PutItem', put('a', before));
  return table.handle('UpdateItem', {
    ...{ Key: key('a'), UpdateExpression, ReturnValues: 'UPDATED_NEW', ...more },
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
}

const xyz = { l: list('x', 'y', 'z') };

it.each([
  ['SET l[9] = :n, l[7] = :s', list('x', 'y', 'z', 's', 'n')],
  ['SET l[9] = :n REMOVE l[0]', list('y', 'z', 'n')],
  ['SET l[1] = :n REMOVE l[0], l[2]', list('n')],
])('changes a list by the positions of before the update: %s', (expression, after) => {
  const values = { ':n': { S: 'n' }, ':s': { S: 's' } };
  const used = Object.entries(values).filter(([name]) => expression.includes(name));
  expect(update(xyz, expression, Object.fromEntries(used)).body).toEqual({
    Attributes: { l: after },
  });
});

it('removes nothing beyond the end of a list, and all elements by their positions', () => {
  const all = { ReturnValues: 'ALL_NEW' };
  expect(update(xyz, 'REMOVE l[9]', {}, all).body).toEqual({
    Attributes: { ...key('a'), ...xyz },
  });
  expect(update(xyz, 'REMOVE l[2], l[0], l[1]', {}, all).body).toEqual({
    Attributes: { ...key('a'), l: list() },
  });
});

it.each([
  ['REMOVE m.a.b', {}],
  ['REMOVE nothing.a', {}],
  ['SET l.a = :n', { ':n': { S: 'n' } }],
  ['SET m[0] = :n', { ':n': { S: 'n' } }],
  ['ADD m.n :n', { ':n': { N: '1' } }],
])('rejects %s, which does not fit the item or the operation', (expression, values) => {
  const before = { ...xyz, m: { M: { a: { S: 'text' } } } };
  expect(outcomeOf(update(before, expression, values))).toBe('ValidationException');
});

it('returns the updated part of a map', () => {
  const m = { M: { a: { N: '1' }, b: { M: { c: { N: '0.1' }, d: { N: '2' } } } } };
  const values = { ':n': { N: '0.2' } };
  expect(update({ m }, 'SET m.b.c = m.b.c + :n', values).body).toEqual({
    Attributes: { m: { M: { b: { M: { c: { N: '0.3' } } } } } },
  });
});

it('deletes a set when its last member is removed', () => {
  const ss = { SS: ['a', 'b'] };
  const all = { ReturnValues: 'ALL_NEW' };
  expect(update({ ss }, 'DELETE ss :v', { ':v': { SS: ['b', 'a'] } }, all).body).toEqual({
    Attributes: key('a'),
  });
});

it.each([
  ['a lone surrogate', { s: { S: '\ud800' } }],
  ['base64 without padding', { b: { B: 'AQI' } }],
  ['a number that is no text', { n: { N: 5 } as unknown as AttributeValue }],
])('rejects %s as malformed', (_, more) => {
  expect(outcomeOf(simulateTable().handle('PutItem', put('a', more)))).toBe(
    'SerializationException',
  );
});

it('handles attributes with names such as `constructor`, stored or absent', () => {
  const table = simulateTable();
  const item = JSON.parse('{"__proto__":{"S":"x"},"constructor":{"S":"y"}}') as Item;
  table.handle('PutItem', { Item: { ...key('a'), ...item } });
  const { body } = table.handle('UpdateItem', {
    Key: key('a'),
    UpdateExpression: 'SET n = if_not_exists(toString, :n)',
    ExpressionAttributeValues: { ':n': { N: '1' } },
    ReturnValues: 'ALL_NEW',
  });
  const names = Object.keys(body['Attributes'] as Item);
  expect(names).toEqual(['pk', 'sk', '__proto__', 'constructor', 'n']);
});
