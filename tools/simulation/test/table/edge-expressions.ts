import type { AttributeValue, Document, Item } from '@engawa/dynamodb-simulator/rules';
import type { Request } from './request-builder.ts';

const N = (value: number | string): AttributeValue => ({ N: String(value) });
const S = (value: string): AttributeValue => ({ S: value });

/** The item of all edge cases, with a value of each type. */
export const edgeItem: Item = {
  ...{ pk: S('edge'), sk: S('1'), n: N(5), s: S('abc'), u: S('é𝄞'), b: { B: 'AQID' } },
  l: { L: [N(1), S('x'), S('y')] },
  m: { M: { a: N(1), b: { M: { c: S('d') } } } },
  ...{ ss: { SS: ['a', 'b'] }, ns: { NS: ['1', '2.0'] }, t: { BOOL: true } },
};

type CaseValues = readonly AttributeValue[];
type Case = readonly [expression: string, ...values: CaseValues];

const conditions: readonly Case[] = [
  ['n1 <> :0', N(1)],
  ['NOT n1 = :0', N(1)],
  ['n1 <> n2'],
  ['n1 = n2'],
  ['size(u) = :0', N(3)],
  ['size(n) > :0', N(0)],
  ['size(b) = :0', N(3)],
  ['size(n1) <> :0', N(0)],
  ['n = n'],
  ['n < :0', { L: [] }],
  ['n = :0', { L: [] }],
  ['t < :0', { BOOL: true }],
  ['n BETWEEN :0 AND :1', N(9), N(1)],
  ['n BETWEEN :0 AND :1', N(1), S('x')],
  ['n BETWEEN s AND :0', N(5)],
  ['((n = :0))', N(5)],
  ['(n = :0) AND ((s = :1) OR n = :0)', N(5), S('q')],
  ['NOT (NOT (n = :0))', N(5)],
  ['attribute_type(n, :0)', S('X')],
  ['attribute_type(n, :0)', N(1)],
  ['attribute_type(n, s)'],
  ['begins_with(s, :0)', N(5)],
  ['begins_with(n, :0)', S('5')],
  ['begins_with(:0, s)', S('abcd')],
  ['contains(s, :0)', N(5)],
  ['contains(s, s)'],
  ['contains(l, :0)', N('1.0')],
  ['contains(ss, :0)', { SS: ['a'] }],
  ['contains(:0, n)', { NS: ['5', '6'] }],
  ['attribute_exists(:0)', S('n')],
  ['attribute_exists(n, s)'],
  ['ATTRIBUTE_EXISTS(n)'],
  ['unknown(n)'],
  ['size(n)'],
  ['n'],
  ['n = :0 AND', N(5)],
  ['n == :0', N(5)],
  [''],
  ['n = :0', N(5), N(6)],
  ['n = :1', N(5)],
  ['#n = :0', N(5)],
  ['name = :0', N(5)],
  ['n = :0 or s = :0 And not t = :0', N(5)],
  ['m.b.c = :0 AND l[0] = :1', S('d'), N(1)],
  ['m . b . c = :0', S('d')],
  ['s.x = :0', N(5)],
  ['l[-1] = :0', N(5)],
  ['l[01] = :0', S('x')],
  ['_n = :0', N(5)],
  ['1n = :0', N(5)],
  ['n IN (:0)', N(5)],
  ['n IN ()'],
  ['(n) = :0', N(5)],
  ['size(:0) = :1', S('x'), N(1)],
  ['ss = :0', { SS: ['b', 'a'] }],
  ['ns = :0', { NS: ['2', '1.00'] }],
  [Array.from({ length: 150 }, () => 'n = :0').join(' AND '), N(5)],
  [Array.from({ length: 151 }, () => 'n = :0').join(' AND '), N(5)],
  [`n = :0${' '.repeat(4096)}`, N(5)],
  [`n IN (${Array.from({ length: 101 }, () => ':0').join()})`, N(5)],
];

const updates: readonly Case[] = [
  ['SET n1 = n2'],
  ['SET n1.y = :0', N(1)],
  ['SET m.b.z = :0', N(1)],
  ['SET n = n + s'],
  ['SET n = n + :0', S('x')],
  ['SET n = n + :0 + :0', N(1)],
  ['SET n = if_not_exists(q.r, :0) + :0', N(1)],
  ['SET n = if_not_exists(q, :0 + :0)', N(1)],
  ['SET n = (n + :0)', N(1)],
  ['SET l = list_append(l, :0)', N(9)],
  ['SET l = list_append(:0, l)', { L: [N(9)] }],
  ['SET l[9] = :0, l[7] = :1', N(9), N(7)],
  ['REMOVE l[0], l[2]'],
  ['REMOVE l[9]'],
  ['REMOVE n1.y'],
  ['REMOVE s.q'],
  ['ADD m.a :0', N(2)],
  ['ADD s :0', N(2)],
  ['ADD n :0', S('x')],
  ['ADD ss :0', { SS: ['c', 'a'] }],
  ['ADD ss :0', { NS: ['1'] }],
  ['DELETE ss :0', { SS: ['b', 'a'] }],
  ['DELETE n :0', N(1)],
  ['DELETE s :0', { SS: ['b'] }],
  ['SET m.a = :0, m = :0', N(1)],
  ['SET m.a = :0 REMOVE m[0]', N(1)],
  ['SET n = :0 SET s = :0', N(1)],
  ['SET pk = :0', S('x')],
  ['set n = :0 remove s', N(1)],
  ['SET n = :0,', N(1)],
  ['SET n = -:0', N(1)],
  ['SET n = :0 - n', N('12345678901234567890123456789012345678')],
  ['SET n = :0 - n', N('12345678901234567890123456789012345678e3')],
  ['SET n = :0 + :0', N('9e125')],
  ['SET n = n + :0', N('1e-100')],
  ...['1e-7', '1.5e20', '-0.0', '+5', '.5', '5.', ' 5', '', 'NaN', '1e-131', '1e126'].map(
    (literal): Case => ['SET n = :0', N(literal)],
  ),
  ['SET n = :0', N('123456789012345678901234567890123456789')],
  ['SET n = :0', { NS: ['1', '1.0'] }],
  ['SET n = :0', { SS: [] }],
  ['SET n = :0', { S: 'a', N: '1' }],
  ['SET n = :0', {}],
  ['SET n = :0', { NULL: false }],
  ['SET n = :0', { M: { '': S('x') } }],
  ['SET gsi1pk = :0', N(1)],
  ['SET gsi1pk = :0', S('')],
  ['SET gsi1sk = :0', S('x'.repeat(1025))],
  [''],
];

const queries: readonly Case[] = [
  ['sk = :0', S('edge')],
  ['pk = :0 AND n = :1', S('edge'), N(1)],
  ['pk = :0 OR sk = :1', S('edge'), S('1')],
  ['pk > :0', S('edge')],
  ['pk = :0 AND sk > :1 AND sk < :2', S('edge'), S('a'), S('b')],
  [':0 = pk', S('edge')],
  ['sk >= :1 AND pk = :0', S('edge'), S('1')],
  ['(pk = :0 AND sk >= :1)', S('edge'), S('1')],
  ['pk = :0 AND sk BETWEEN :1 AND :2', S('edge'), S('2'), S('1')],
  ['pk = :0 AND sk > :1', S('edge'), N(1)],
  ['pk = :0 AND sk <> :1', S('edge'), S('1')],
  ['pk = :0 AND sk IN (:1)', S('edge'), S('1')],
  ['pk = :0 AND contains(sk, :1)', S('edge'), S('1')],
  ['NOT pk = :0', S('edge')],
  ['size(pk) = :0', N(4)],
  ['pk = :0 AND sk = n', S('edge')],
  ['pk.a = :0', S('edge')],
  ['pk = :0 AND pk = :0', S('edge')],
  ['pk = :0', S('')],
  ['pk = :0 AND begins_with(sk, :1)', S('edge'), S('')],
];

/** Requests with expressions; each finds the initial edge item. */
export function edgeExpressions(TableName: string): Request[] {
  const Key = { pk: edgeItem['pk'], sk: edgeItem['sk'] };
  return [
    ...conditions.map(([ConditionExpression, ...values]) => ({
      operation: 'PutItem',
      input: { TableName, Item: edgeItem, ConditionExpression, ...valuesOf(values) },
    })),
    ...updates.map(([UpdateExpression, ...values]) => ({
      operation: 'UpdateItem',
      input: { TableName, Key, UpdateExpression, ...valuesOf(values), ReturnValues: 'ALL_NEW' },
    })),
    ...queries.map(([KeyConditionExpression, ...values]) => ({
      operation: 'Query',
      input: { TableName, KeyConditionExpression, ...valuesOf(values) },
    })),
  ];
}

/** Values in the order of their placeholders, from `:0`. */
function valuesOf(values: CaseValues): Document {
  if (values.length === 0) return {};
  const entries = values.map((value, index) => [`:${index}`, value] as const);
  return { ExpressionAttributeValues: Object.fromEntries(entries) };
}
