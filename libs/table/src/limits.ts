/**
 * The limits and prices of DynamoDB that this library relies on. "Quotas" is the developer guide's "Quotas in Amazon
 * DynamoDB"; an operation's name is its page of the API reference. Limits of our own choice are defined where they are
 * used.
 */
import { defaultPartitionLimits } from '@engawa/heat';
import { maxPartitionKeyBytes, maxSortKeyBytes } from '@engawa/keys';
import type { Unit } from '@engawa/heat';

/** UTF-8 bytes of a key ("Quotas", partition keys and sort keys). */
export { maxPartitionKeyBytes, maxSortKeyBytes };

/** Bytes of an item, names included, as `itemSize` counts them ("Quotas", item size). */
export const maxItemBytes = 400 * 1024;

/** Maximum depth of nested lists and maps ("Quotas", nested attribute depth). */
export const maxNestingDepth = 32;

/** Magnitude of a number that is not 0: from the minimum, below the bound ("Supported data types", Number). */
export const minNumberMagnitude = 1e-130;
export const numberMagnitudeBound = 1e126;

/** Items and bytes of a BatchWriteItem request. */
export const maxBatchWriteItems = 25;
export const maxBatchWriteBytes = 16 * 1024 * 1024;

/** Maximum items of BatchGetItem; the response ends before the item that would exceed the bytes. */
export const maxBatchGetItems = 100;
export const maxBatchGetBytes = 16 * 1024 * 1024;

/** Actions and bytes of a TransactWriteItems request. */
export const maxTransactionWrites = 100;
export const maxTransactionBytes = 4 * 1024 * 1024;

/** Size of items in bytes after which a page of a Query ends, also of a counting Query (Query). */
export const maxPageBytes = 1024 * 1024;

/** Bytes per capacity unit ("DynamoDB read and write operations"). */
export const unitBytes: Readonly<Record<Unit, number>> = { read: 4096, write: 1024 };

/** Read units of a request that reads at most `unitBytes.read`, by its consistency (the same page). */
export const minReadUnits = { consistent: 1, eventuallyConsistent: 0.5 } as const;

/** Write units of the smallest write, and of the smallest action of a transaction, which is prepared and committed. */
export const minWriteUnits = { single: 1, transaction: 2 } as const;

/** Maximum units per second of one partition ("Quotas", default of PARTITION_READ_LIMIT and PARTITION_WRITE_LIMIT). */
export { defaultPartitionLimits };
