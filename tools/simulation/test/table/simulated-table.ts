import { Agenda } from '../../src/kernel/agenda.ts';
import { Random } from '../../src/kernel/random.ts';
import { TableEndpoint } from '../../src/table/table-endpoint.ts';
import { TableModel } from '../../src/table/table-model.ts';
import { thingsTable } from './things-table.ts';
import type { Document, DynamoDbResponse, Item } from '@engawa/dynamodb-simulator/rules';
import type { TableResponse, TableEndpointOptions } from '../../src/table/table-endpoint.ts';
import type { TableModelOptions } from '../../src/table/table-model.ts';

export const TableName = 'things';
/** DynamoDB's clock at the beginning of the world. */
export const epoch = Date.parse('2026-01-01T00:00:00Z');
export const hour = 3_600_000;

export interface SimulatedTable {
  agenda: Agenda;
  model: TableModel;
  endpoint: TableEndpoint;
  handle(operation: string, input: Document): DynamoDbResponse;
  /** Runs the events of the next `ms` milliseconds. */
  play(ms: number): Promise<void>;
  /** Runs events until the response arrives, for at most a minute. */
  ask(operation: string, input: Document): Promise<TableResponse>;
}

/** An empty table in a world whose time advances only with `play` and `ask`. */
export function simulateTable(
  options: Partial<TableModelOptions & TableEndpointOptions> = {},
  seed = 1,
): SimulatedTable {
  const agenda = new Agenda(new Random(seed));
  const now = () => epoch + agenda.now();
  const model = new TableModel({ now, random: agenda.random.fork(), ...options });
  const endpoint = new TableEndpoint({ world: agenda, model, ...options });
  expect(model.handle('CreateTable', thingsTable(TableName)).status).toBe(200);
  const play = (ms: number) => agenda.runUntil(agenda.now() + ms, { settle });
  return {
    agenda,
    model,
    endpoint,
    play,
    handle: (operation, input) => model.handle(operation, { TableName, ...input }),
    ask: async (operation, input) => {
      const answer = endpoint.answer(operation, input);
      await settle();
      await play(60_000);
      return answer;
    },
  };
}

/** Runs all microtasks of an event. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export function key(pk: string, sk = '1'): Item {
  return { pk: { S: pk }, sk: { S: sk } };
}

export function put(pk: string, more: Item = {}, sk = '1'): Document {
  return { TableName, Item: { ...key(pk, sk), ...more } };
}

export function get(pk: string, sk = '1'): Document {
  return { TableName, Key: key(pk, sk), ConsistentRead: true };
}

/** The exception's name, or `200`. */
export function outcomeOf(answer: DynamoDbResponse | TableResponse): string {
  if ('kind' in answer && answer.kind !== 'answer') return answer.kind;
  const { status, body } = answer;
  return status === 200 ? '200' : (String(body['__type']).split('#').at(-1) ?? '');
}

/** Codes of a cancelled transaction. */
export function codesOf(answer: DynamoDbResponse | TableResponse): string[] {
  const { body } = answer as DynamoDbResponse;
  return (body['CancellationReasons'] as { Code: string }[]).map(({ Code }) => Code);
}
