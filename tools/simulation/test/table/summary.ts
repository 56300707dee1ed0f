import { canonicalItem } from './canonical.ts';
import type { Document, DynamoDbResponse, Item } from '@engawa/dynamodb-simulator/rules';

/** The parts of a response, as texts, that must be equal for two engines. */
export interface Summary {
  /** `200`, or the exception's name with the codes of a cancelled transaction. */
  outcome: string;
  /** Not compared; shown with differences. */
  message: string;
  /** Items, in the order of the response if the order is defined. */
  items: string;
  /** Consumed units of the table and of its indexes. */
  units: string;
}

interface Capacity {
  Table?: { CapacityUnits: number };
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits: number }>;
}

interface Reason {
  Code: string;
  Item?: Item;
}

export function summaryOf(operation: string, { status, body }: DynamoDbResponse): Summary {
  if (status === 200) {
    return { outcome: '200', message: '', items: itemsOf(operation, body), units: unitsOf(body) };
  }
  const name = String(body['__type']).split('#').at(-1) ?? '';
  const reasons = (body['CancellationReasons'] ?? []) as Reason[];
  const codes = reasons.map(({ Code }) => Code).join();
  const items = [body['Item'] as Item | undefined, ...reasons.map(({ Item }) => Item)];
  return {
    outcome: codes === '' ? name : `${name} ${codes}`,
    message: (body['message'] ?? body['Message'] ?? '') as string,
    items: items.map((item) => (item === undefined ? '-' : canonicalItem(item))).join('\n'),
    units: '',
  };
}

function itemsOf(operation: string, body: Document): string {
  switch (operation) {
    case 'GetItem':
      return shown(body['Item'] as Item | undefined);
    case 'BatchGetItem':
      return Object.values(body['Responses'] as Record<string, Item[]>)
        .flat()
        .map(shown)
        .toSorted()
        .join('\n');
    case 'TransactGetItems':
      return (body['Responses'] as { Item?: Item }[]).map(({ Item }) => shown(Item)).join('\n');
    case 'Query':
      return ((body['Items'] ?? []) as Item[]).map(shown).join('\n');
    default:
      return shown(body['Attributes'] as Item | undefined);
  }
}

function shown(item: Item | undefined): string {
  return item === undefined ? '-' : canonicalItem(item);
}

function unitsOf(body: Document): string {
  const [capacity] = [body['ConsumedCapacity'] ?? []].flat() as Capacity[];
  if (capacity === undefined) return '';
  const indexes = Object.entries(capacity.GlobalSecondaryIndexes ?? {})
    .map(([name, { CapacityUnits }]) => `${name} ${CapacityUnits}`)
    .toSorted();
  return [`table ${capacity.Table?.CapacityUnits ?? 0}`, ...indexes].join();
}
