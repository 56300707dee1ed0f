import { MalformedResponse, ResponseCheck } from './response-check.ts';

let check: ResponseCheck;
beforeEach(() => {
  check = new ResponseCheck({ isAws: false });
});

const $metadata = { requestId: 'R1' };
const checking = (operation: string, output: object, input: object = {}) =>
  expect(() => check.check(operation, input, output));

it.each<[string, object, object]>([
  ['BatchWriteItem', {}, {}],
  ['BatchWriteItem', { UnprocessedItems: 'none' }, {}],
  ['BatchGetItem', { message: 'welcome' }, {}],
  ['Query', {}, {}],
  ['Query', { Count: 1 }, {}],
  ['Query', { Items: [] }, {}],
  ['Query', {}, { Select: 'COUNT' }],
  ['UpdateItem', {}, { ReturnValues: 'ALL_NEW' }],
])('rejects a response without the properties of %s: %j', (operation, output, input) => {
  checking(operation, output, input).toThrow(MalformedResponse);
  checking(operation, { ...output, $metadata }, input).toThrow(MalformedResponse);
});

it.each<[string, object, object]>([
  ['BatchWriteItem', { UnprocessedItems: {} }, {}],
  ['BatchGetItem', { Responses: {} }, {}],
  ['Query', { Count: 0, Items: [] }, {}],
  ['Query', { Count: 0 }, { Select: 'COUNT' }],
  ['UpdateItem', { Attributes: {} }, { ReturnValues: 'ALL_NEW' }],
  ['GetItem', {}, {}],
  ['PutItem', {}, {}],
])('accepts a response of %s: %j', (operation, output, input) => {
  checking(operation, output, input).not.toThrow();
});

it.each(['GetItem', 'PutItem', 'DeleteItem', 'TransactWriteItems'])(
  'rejects an empty response without the request id that this API sends: %s',
  (operation) => {
    checking(operation, { $metadata }).not.toThrow();
    checking(operation, {}).toThrow(MalformedResponse);
    checking(operation, { ConsumedCapacity: {} }).not.toThrow();
  },
);

it('knows that AWS sends request ids', () => {
  check = new ResponseCheck({ isAws: true });
  checking('GetItem', {}).toThrow(MalformedResponse);
});
