// Written by `npm run reference` from the OpenAPI document of the service: change its routes, not this.
import { operation } from '../http/operation.ts';

export type EntityType = {
  name: string;
  attributes: {
    name: string;
    /** `list` and `map` hold any JSON; `set` holds texts or numbers, each once. */
    kind: 'text' | 'number' | 'boolean' | 'instant' | 'list' | 'map' | 'set';
    required: boolean;
    /** Of a set: what its members are; by default `text`. */
    of?: ('text' | 'number') | undefined;
    /** Of an instant: written by the service when the entity is created, or with each change of it. */
    automatic?: ('created' | 'updated') | undefined;
    /** Of a text, a number or an instant: no two entities of the type ever have the same value. */
    unique?: boolean | undefined;
  }[];
  relations: {
    name: string;
    to: string;
    many: boolean;
    attributes?:
      | {
          name: string;
          kind: 'text' | 'number' | 'boolean' | 'instant';
          required: boolean;
        }[]
      | undefined;
  }[];
  searches: {
    name: string;
    parts: (
      | {
          attribute: string;
          /** How it is sorted and found; `collated` is text without regard to case and width. */
          as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        }
      | {
          relation: string;
        }
    )[];
    /** While it is being built from the entities that are there it cannot be asked. */
    state: 'ready' | 'building';
  }[];
  rankings: {
    name: string;
    attribute: string;
    /** `descending`: the greatest is rank 1. */
    direction: 'ascending' | 'descending';
    within?: string | undefined;
    /** While it is being built from the entities that are there it cannot be asked. */
    state: 'ready' | 'building';
  }[];
  fullText: string[];
  additional: boolean;
  filters: (
    | {
        attribute: string;
        /** How it is sorted and found; `collated` is text without regard to case and width. */
        as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        /** While it is being built from the entities that are there it cannot be asked. */
        state: 'ready' | 'building';
      }
    | {
        relation: string;
        /** While it is being built from the entities that are there it cannot be asked. */
        state: 'ready' | 'building';
      }
  )[];
  expires?:
    | {
        attribute: string;
      }
    | undefined;
  createdAt: string;
  changedAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
};

export type EntityTypeWithBuild = {
  name: string;
  attributes: {
    name: string;
    /** `list` and `map` hold any JSON; `set` holds texts or numbers, each once. */
    kind: 'text' | 'number' | 'boolean' | 'instant' | 'list' | 'map' | 'set';
    required: boolean;
    /** Of a set: what its members are; by default `text`. */
    of?: ('text' | 'number') | undefined;
    /** Of an instant: written by the service when the entity is created, or with each change of it. */
    automatic?: ('created' | 'updated') | undefined;
    /** Of a text, a number or an instant: no two entities of the type ever have the same value. */
    unique?: boolean | undefined;
  }[];
  relations: {
    name: string;
    to: string;
    many: boolean;
    attributes?:
      | {
          name: string;
          kind: 'text' | 'number' | 'boolean' | 'instant';
          required: boolean;
        }[]
      | undefined;
  }[];
  searches: {
    name: string;
    parts: (
      | {
          attribute: string;
          /** How it is sorted and found; `collated` is text without regard to case and width. */
          as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        }
      | {
          relation: string;
        }
    )[];
    /** While it is being built from the entities that are there it cannot be asked. */
    state: 'ready' | 'building';
  }[];
  rankings: {
    name: string;
    attribute: string;
    /** `descending`: the greatest is rank 1. */
    direction: 'ascending' | 'descending';
    within?: string | undefined;
    /** While it is being built from the entities that are there it cannot be asked. */
    state: 'ready' | 'building';
  }[];
  fullText: string[];
  additional: boolean;
  filters: (
    | {
        attribute: string;
        /** How it is sorted and found; `collated` is text without regard to case and width. */
        as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        /** While it is being built from the entities that are there it cannot be asked. */
        state: 'ready' | 'building';
      }
    | {
        relation: string;
        /** While it is being built from the entities that are there it cannot be asked. */
        state: 'ready' | 'building';
      }
  )[];
  expires?:
    | {
        attribute: string;
      }
    | undefined;
  createdAt: string;
  changedAt: string;
  /** Raised by each change; the ETag holds it. */
  version: number;
  /** There while entities are brought to what the type says now. */
  build?:
    | {
        /** Entities that have been looked at. */
        done: number;
        /** When the type was changed. */
        since: string;
        /** Entities that cannot be written as the type says now: it is tried again each minute, until all can. */
        refused?:
          | {
              count: number;
              examples: {
                id: string;
                reason: string;
              }[];
            }
          | undefined;
      }
    | undefined;
  /** Searches that some entities are not in, since a value of them cannot be in a key. */
  leftOut?:
    | {
        search: string;
        /** How many entities; 1000 stands for as many or more. */
        count: number;
        /** Some of them. */
        examples: {
          id: string;
          reason: string;
        }[];
      }[]
    | undefined;
  /** Attributes whose kind was changed, and whose former value some entities keep as `unconverted`. */
  unconverted?:
    | {
        attribute: string;
        /** How many entities; 1000 stands for as many or more. */
        count: number;
        /** Some of them. */
        examples: {
          id: string;
          reason: string;
        }[];
      }[]
    | undefined;
};

export type AttributeValue = unknown;

export type Entity = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The id that each relation to one leads to; see `related` for those to many, which stay where this is sent back. */
  relations: Record<string, string>;
  /** Values of attributes whose kind was changed and that could not be converted; each stays until its attribute is given a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Also in its ETag. */
  version: number;
};

export type NewEntity = {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** Where it is missing, an id of 26 characters is made: a ULID, or one that the Idempotency-Key determines. */
  id?: string | undefined;
  /** By name; an instant as ISO-8601 or in epoch milliseconds, a set as a list. */
  attributes?: Record<string, unknown> | undefined;
  /** By name: the id of the other entity, or, for a relation to many, the list of them; where it has attributes, also `{"id": …, "attributes": {…}}`, without which they stay. */
  relations?: Record<string, string | (string | Record<string, unknown>)[]> | undefined;
  /** Not looked at: the service says it. */
  createdAt?: unknown | undefined;
  /** Not looked at: the service says it. */
  updatedAt?: unknown | undefined;
  /** Not looked at: the service says it. */
  version?: unknown | undefined;
  /** Not looked at: the service says it. */
  unconverted?: unknown | undefined;
};

export type WholeEntity = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The id that each relation to one leads to, the ids that each to many leads to; of one that declares attributes, objects with them. */
  relations: Record<
    string,
    | string
    | string[]
    | {
        id: string;
        /** Of the relation; without them, it has none. */
        attributes?: Record<string, AttributeValue> | undefined;
      }[]
  >;
  /** Values of attributes whose kind was changed and that could not be converted; each stays until its attribute is given a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Also in its ETag. */
  version: number;
};

export type RelatedEntity = {
  type: string;
  id: string;
  /** The names of the relations that lead there. */
  relations: string[];
  /** Of these relations, by their names, where they have any. */
  attributes?: Record<string, Record<string, AttributeValue>> | undefined;
  /** With `whole`. */
  entity?: Entity | undefined;
};

export type RelatedEntityEitherWay = {
  type: string;
  id: string;
  /** The names of the relations that lead there. */
  relations: string[];
  /** Of these relations, by their names, where they have any. */
  attributes?: Record<string, Record<string, AttributeValue>> | undefined;
  /** With `whole`. */
  entity?: Entity | undefined;
  /** Which way the relations lead. */
  direction: 'forward' | 'backward';
};

export type FoundEntity = {
  id: string;
  /** What it was found by: attributes, and ids of related ones. */
  values: Record<string, AttributeValue>;
};

export type RankedEntity = {
  /** 1 for the first; those that tie share it. */
  rank: number;
  id: string;
  /** What it is ranked by: a number, or an instant as ISO-8601 in UTC. */
  value: number | string;
  /** With `whole`. */
  entity?: Entity | undefined;
};

export type Standing = {
  /** 1 for the first; those that tie share it. */
  rank: number;
  /** Otherwise all ranks here are at least what they say. */
  rankIsExact: boolean;
  /** What it is ranked by: a number, or an instant as ISO-8601 in UTC. */
  value: number | string;
  /** Of a ranking within a relation: the id of the entity whose ranking it is. */
  within?: string | undefined;
  /** Those before it, itself, and those behind it. */
  items: RankedEntity[];
};

export type Throttling = {
  /** `table`, or the name of the index: the part that is hot. */
  index: string;
  /** Whether reads or writes are counted. */
  unit: 'read' | 'write';
  /** What was run into; see `throttlesPerSecond`. */
  scope: 'key_range' | 'table' | 'account' | 'on_demand_maximum' | 'other';
  /** DynamoDB’s word for it, such as `TableWriteKeyRangeThroughputExceeded`; `unknown` where it gave none. */
  reason: string;
  /** How often a second, whatever the key. */
  perSecond: number;
  /** What to do about this reason. */
  advice: string;
};

export type HotPartition = {
  /** `table`, or the name of the index: the part that is hot. */
  index: string;
  /** Whether reads or writes are counted. */
  unit: 'read' | 'write';
  /** The partition key, as it is, with hashes in place of ids, or by its family alone: `keys` says which. */
  partition: string;
  /** What it is a key of, such as `device`; absent where an older version told. */
  kind?: string | undefined;
  /** What it is one of several keys of, such as `LIST#DEVICE`; absent where it cannot be spread. */
  family?: string | undefined;
  /** How many keys that family has now; absent where this process does not know. */
  shards?: number | undefined;
  /** Capacity units consumed a second; never too few. */
  unitsPerSecond: number;
  /** Units a second by which `unitsPerSecond` may be too many. */
  uncertainty: number;
  /** `unitsPerSecond` as a share of what one partition takes (`limits`): at 1 there is no more to be had. */
  utilization: number;
  /** Items and questions a second that came back throttled, by what they ran into; those that there were none of are left out. `key_range` is this key, `table` what the table or index is provisioned for, `account` a quota of the account, `on_demand_maximum` a setting of the table or index, `other` what DynamoDB gave no reason for. */
  throttlesPerSecond: {
    key_range?: number | undefined;
    table?: number | undefined;
    account?: number | undefined;
    on_demand_maximum?: number | undefined;
    other?: number | undefined;
  };
  /** Capacity units a second that other processes use of the same key, as they told this one lately; absent where none has told, and in a merged report, which adds up all of them. */
  othersUnitsPerSecond?: number | undefined;
  /** Since when it is hot; absent while it is not. */
  hotSince?: string | undefined;
  /** What to do, the most important first; empty where nothing has to be done. */
  advice: string[];
  /** What it is a key of, in words. */
  description: string;
  /** The services that write under this key. */
  writtenBy: string;
  /** How much it is used and why it is throttled, in words. */
  reason: string;
};

export interface ListTypesInput {
  /** How many to give at most; a page may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
}

export type ListTypesOutput = {
  items: EntityType[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface PutTypeInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed. */
  ifMatch?: string | undefined;
  /** `*`: only makes what is not there yet. */
  ifNoneMatch?: string | undefined;
  body: {
    attributes?:
      | {
          /** Its own among attributes and relations: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** `list` and `map` hold any JSON; `set` holds texts or numbers, each once. */
          kind: 'text' | 'number' | 'boolean' | 'instant' | 'list' | 'map' | 'set';
          required?: boolean | undefined;
          /** Of a set: what its members are; by default `text`. */
          of?: ('text' | 'number') | undefined;
          /** Of an instant: written by the service when the entity is created, or with each change of it. */
          automatic?: ('created' | 'updated') | undefined;
          /** Of a text, a number or an instant: no two entities of the type ever have the same value. */
          unique?: boolean | undefined;
          /** What it was called before; of no effect where that is no more. */
          renamedFrom?: string | undefined;
          /** Whether values of another kind, which it had before, are converted. */
          convert?: boolean | undefined;
        }[]
      | undefined;
    relations?:
      | {
          /** Its own among attributes and relations: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** The type of the other entity; it may be declared later. */
          to: string;
          /** Whether it leads to any number of entities. */
          many?: boolean | undefined;
          /** Of a relation to many: what is said of it to each of the other entities. */
          attributes?:
            | {
                name: string;
                kind: 'text' | 'number' | 'boolean' | 'instant';
                required?: boolean | undefined;
              }[]
            | undefined;
          /** What it was called before; of no effect where that is no more. */
          renamedFrom?: string | undefined;
        }[]
      | undefined;
    searches?:
      | {
          /** Its own among searches and rankings: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** In this order. */
          parts: {
            attribute?: string | undefined;
            /** How it is sorted and found; `collated` is text without regard to case and width. */
            as?: ('text' | 'collated' | 'number' | 'instant' | 'boolean') | undefined;
            /** In place of an attribute, the id that a relation to one leads to. */
            relation?: string | undefined;
          }[];
        }[]
      | undefined;
    /** A change of what the first orders by costs one request. */
    rankings?:
      | {
          /** Its own among searches and rankings: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** A number or an instant. */
          attribute: string;
          /** `descending`: the greatest is rank 1. */
          direction?: ('ascending' | 'descending') | undefined;
          /** A relation to one: each entity that it leads to has a ranking of its own, of those that relate to it. */
          within?: string | undefined;
        }[]
      | undefined;
    /** The texts, or sets of texts, that the full-text search looks into. */
    fullText?: string[] | undefined;
    /** Whether entities may have any other attributes, of any JSON, which no search has. */
    additional?: boolean | undefined;
    /** What hits of the full-text search are filtered, ordered and counted by. */
    filters?:
      | {
          attribute?: string | undefined;
          /** How it is sorted and found; `collated` is text without regard to case and width. */
          as?: ('text' | 'collated' | 'number' | 'instant' | 'boolean') | undefined;
          /** In place of an attribute, the id that a relation to one leads to. */
          relation?: string | undefined;
        }[]
      | undefined;
    /** An entity is deleted soon after the instant that it has in this attribute; one without never is. */
    expires?:
      | {
          /** An instant. */
          attribute: string;
        }
      | undefined;
    /** Attributes and relations that were declared, and are taken away with their values. */
    removed?: string[] | undefined;
  };
}

export type PutTypeOutput = EntityType;

export interface GetTypeInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
}

export type GetTypeOutput = EntityTypeWithBuild;

export interface DeleteTypeInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
}

export type DeleteTypeOutput = undefined;

export interface GetEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many of its relations to give at most. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away. */
  fields?: string[] | undefined;
}

export type GetEntityOutput = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The id that each relation to one leads to, the ids that each to many leads to; of one that declares attributes, objects with them. */
  relations: Record<
    string,
    | string
    | string[]
    | {
        id: string;
        /** Of the relation; without them, it has none. */
        attributes?: Record<string, AttributeValue> | undefined;
      }[]
  >;
  /** Values of attributes whose kind was changed and that could not be converted; each stays until its attribute is given a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Also in its ETag. */
  version: number;
  /** Gives the next of its relations, where these are not all. */
  cursor?: string | undefined;
};

export interface PutEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several, or *: nothing is made, and nothing that has another version changed. */
  ifMatch?: string | undefined;
  /** `*`: only makes what is not there yet. */
  ifNoneMatch?: string | undefined;
  body: {
    /** By name; an instant as ISO-8601 or in epoch milliseconds, a set as a list. */
    attributes?: Record<string, unknown> | undefined;
    /** By name: the id of the other entity, or, for a relation to many, the list of them; where it has attributes, also `{"id": …, "attributes": {…}}`, without which they stay. */
    relations?: Record<string, string | (string | Record<string, unknown>)[]> | undefined;
  };
}

export type PutEntityOutput = Entity;

export interface PatchEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
  body: {
    /** Those to change, by name; null takes one away. A number also as `{"add": 1}`, a set as `{"append": [members], "remove": [members]}`. */
    attributes?: Record<string, unknown> | undefined;
    /** Those to change, by name: the id, or the ids, it is to lead to; null takes it away; of one to many also `{"add": [ids], "remove": [ids]}`. In place of an id, `{"id": …, "attributes": {…}}` where the relation has attributes: in `add`, those that are named change. */
    relations?:
      | Record<
          string,
          string | (string | Record<string, unknown>)[] | Record<string, unknown> | null
        >
      | undefined;
    /** What must hold of attributes in the moment of the change, by name: `{"stock": {"atLeast": 1}}`; of a set, `contains` a member. */
    conditions?:
      | Record<
          string,
          {
            equals?: unknown | undefined;
            atLeast?: unknown | undefined;
            atMost?: unknown | undefined;
            contains?: unknown | undefined;
            exists?: boolean | undefined;
          }
        >
      | undefined;
  };
}

export type PatchEntityOutput = Entity;

export interface DeleteEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Whether to take away the relations of others to it. */
  detach?: boolean | undefined;
  /** What must hold of attributes in the moment of the deletion, as JSON: what PATCH takes as `conditions`, such as `{"state":{"equals":"done"}}`, percent-encoded. */
  conditions?: string | undefined;
  /** The ETag as it was read, or several: where the item has another version by now, nothing is changed. */
  ifMatch?: string | undefined;
}

export type DeleteEntityOutput = undefined;

export interface WriteTransactionInput {
  body: {
    operations: (
      | {
          operation: 'put';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** By name; an instant as ISO-8601 or in epoch milliseconds, a set as a list. */
          attributes?: Record<string, unknown> | undefined;
          /** By name: the id of the other entity, or, for a relation to many, the list of them; where it has attributes, also `{"id": …, "attributes": {…}}`, without which they stay. */
          relations?: Record<string, string | (string | Record<string, unknown>)[]> | undefined;
          /** The ETag as it was read: nothing takes place where it has another one by now. */
          ifMatch?: string | undefined;
          /** Only where it is not there yet. */
          ifNoneMatch?: '*' | undefined;
        }
      | {
          operation: 'patch';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** Those to change, by name; null takes one away. A number also as `{"add": 1}`, a set as `{"append": [members], "remove": [members]}`. */
          attributes?: Record<string, unknown> | undefined;
          /** Those to change, by name: the id, or the ids, it is to lead to; null takes it away; of one to many also `{"add": [ids], "remove": [ids]}`. In place of an id, `{"id": …, "attributes": {…}}` where the relation has attributes: in `add`, those that are named change. */
          relations?:
            | Record<
                string,
                string | (string | Record<string, unknown>)[] | Record<string, unknown> | null
              >
            | undefined;
          /** What must hold of attributes in the moment of the change, by name: `{"stock": {"atLeast": 1}}`; of a set, `contains` a member. */
          conditions?:
            | Record<
                string,
                {
                  equals?: unknown | undefined;
                  atLeast?: unknown | undefined;
                  atMost?: unknown | undefined;
                  contains?: unknown | undefined;
                  exists?: boolean | undefined;
                }
              >
            | undefined;
          /** The ETag as it was read: nothing takes place where it has another one by now. */
          ifMatch?: string | undefined;
        }
      | {
          operation: 'delete';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** Also where entities of no operation relate to it. */
          detach?: boolean | undefined;
          /** What must hold of attributes in the moment of the change, by name: `{"stock": {"atLeast": 1}}`; of a set, `contains` a member. */
          conditions?:
            | Record<
                string,
                {
                  equals?: unknown | undefined;
                  atLeast?: unknown | undefined;
                  atMost?: unknown | undefined;
                  contains?: unknown | undefined;
                  exists?: boolean | undefined;
                }
              >
            | undefined;
          /** The ETag as it was read: nothing takes place where it has another one by now. */
          ifMatch?: string | undefined;
        }
      | {
          operation: 'check';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** What must hold of attributes in the moment of the change, by name: `{"stock": {"atLeast": 1}}`; of a set, `contains` a member. */
          conditions?:
            | Record<
                string,
                {
                  equals?: unknown | undefined;
                  atLeast?: unknown | undefined;
                  atMost?: unknown | undefined;
                  contains?: unknown | undefined;
                  exists?: boolean | undefined;
                }
              >
            | undefined;
          /** The ETag as it was read: nothing takes place where it has another one by now. */
          ifMatch?: string | undefined;
        }
    )[];
  };
}

export type WriteTransactionOutput = {
  items: {
    type: string;
    id: string;
    /** As it is now; not of what was deleted. */
    etag?: string | undefined;
    /** Of `put` and `patch`. */
    entity?: Entity | undefined;
  }[];
};

export interface CreateEntitiesInput {
  /** What becomes of entities that are there already. */
  existing?: ('keep' | 'replace') | undefined;
  /** Names this request, so that it can be sent again: an entry without an id gets the same one each time. A UUID, for instance. */
  idempotencyKey?: string | undefined;
  body: NewEntity | NewEntity[];
}

export type CreateEntitiesOutput = {
  entities: {
    created: number;
    /** They were there already, and stay as they are. */
    existing: number;
    /** With `existing=replace`: they were there, and another. */
    replaced?: number | undefined;
    /** With `existing=replace`: they were there like this. */
    unchanged?: number | undefined;
  };
  /** Entries of which nothing was made. */
  failed: number;
  /** Why, of the first 100. */
  errors: {
    /** The line, or the place in the array, counted from 1. */
    line: number;
    message: string;
  }[];
};

export interface ListEntitiesInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The ids of those to give, at most 100: `id=a&id=b`. */
  id?: string[] | undefined;
  /** Whether to give relations to many, too; then at most 100 on a page. */
  whole?: boolean | undefined;
  /** By default `ascending`. */
  order?: ('ascending' | 'descending') | undefined;
  /** Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away. */
  fields?: string[] | undefined;
  /** Whether to say also how many there are in all, whatever the page: they are counted, for a read unit each 8 KB of them. Not row by row. */
  total?: boolean | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListEntitiesOutput = {
  items: WholeEntity[];
  /** Those of the ids that no entity has. */
  missing?: string[] | undefined;
  /** With `total=true`: how many there are in all. */
  total?: number | undefined;
  /** Beside `total`; where it is false, there are more: counting them all takes more than a page may cost. */
  totalIsExact?: boolean | undefined;
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface ListRelatedInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  otherType: string;
  direction?: ('forward' | 'backward') | undefined;
  /** Only those that are related by it. It may take several reads to find a few among many. */
  relation?: string | undefined;
  order?: ('ascending' | 'descending') | undefined;
  /** Whether to give the other entities, too: a request more for each 100. */
  whole?: boolean | undefined;
  /** Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away. */
  fields?: string[] | undefined;
  /** Whether to say also how many there are in all, whatever the page: they are counted, for a read unit each 8 KB of them. Not row by row. */
  total?: boolean | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListRelatedOutput = {
  items: RelatedEntity[];
  /** With `total=true`: how many there are in all. */
  total?: number | undefined;
  /** Beside `total`; where it is false, there are more: counting them all takes more than a page may cost. */
  totalIsExact?: boolean | undefined;
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface ListAllRelatedInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  direction?: ('forward' | 'backward') | undefined;
  /** Only those that are related by it. It may take several reads to find a few among many. */
  relation?: string | undefined;
  order?: ('ascending' | 'descending') | undefined;
  /** Whether to give the other entities, too: a request more for each 100. */
  whole?: boolean | undefined;
  /** Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away. */
  fields?: string[] | undefined;
  /** Whether to say also how many there are in all, whatever the page: they are counted, for a read unit each 8 KB of them. Not row by row. */
  total?: boolean | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type ListAllRelatedOutput = {
  items: RelatedEntityEitherWay[];
  /** With `total=true`: how many there are in all. */
  total?: number | undefined;
  /** Beside `total`; where it is false, there are more: counting them all takes more than a page may cost. */
  totalIsExact?: boolean | undefined;
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface SearchEntitiesInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The name of the search, percent-encoded. */
  name: string;
  /** What the leading parts are, in their order: `eq=a&eq=b`. */
  eq?: string[] | undefined;
  /** What the next part, a text, begins with. */
  prefix?: string | undefined;
  /** The least that the next part is. */
  from?: string | undefined;
  /** The most that the next part is. */
  to?: string | undefined;
  /** By whose clocks dates (their midnight) and local times are, for instants: an IANA name such as Asia/Tokyo. */
  timeZone?: string | undefined;
  order?: ('ascending' | 'descending') | undefined;
  /** Whether to give the entities themselves: a request more for each 100. */
  whole?: boolean | undefined;
  /** Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away. */
  fields?: string[] | undefined;
  /** Whether to say also how many there are in all, whatever the page: they are counted, for a read unit each 8 KB of them. Not row by row. */
  total?: boolean | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. By default 100 on a page; all, row by row. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Row by row, `true` gives a row each so often (at the latest each 1000th) a `cursor`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway. */
  resumable?: boolean | undefined;
}

export type SearchEntitiesOutput = {
  items: (FoundEntity | Entity)[];
  /** With `total=true`: how many there are in all. */
  total?: number | undefined;
  /** Beside `total`; where it is false, there are more: counting them all takes more than a page may cost. */
  totalIsExact?: boolean | undefined;
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetRankingInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The name of the ranking, percent-encoded. */
  name: string;
  /** Of a ranking within a relation: the id of the entity whose ranking it is. */
  within?: string | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** Whether to give the entities, too. */
  whole?: boolean | undefined;
  /** Only these attributes and relations of an entity: `fields=a&fields=b`. Such an answer is for reading: sent back with PUT it would take the others away. */
  fields?: string[] | undefined;
  /** Whether to say also how many there are in all, whatever the page: they are counted, for a read unit each 8 KB of them. Not row by row. */
  total?: boolean | undefined;
}

export type GetRankingOutput = {
  items: RankedEntity[];
  /** With `total=true`: how many there are in all. */
  total?: number | undefined;
  /** Beside `total`; where it is false, there are more: counting them all takes more than a page may cost. */
  totalIsExact?: boolean | undefined;
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
};

export interface GetRankInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The name of the ranking, percent-encoded. */
  name: string;
  /** The id of the entity, its own in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many to give before it, and behind it. */
  neighbours?: number | undefined;
}

export type GetRankOutput = Standing;

export interface SearchTextsInput {
  /** What to look for; of punctuation alone nothing is found. Without it, entities of `type` are listed, also those without texts. */
  q?: string | undefined;
  /** Only entities of these types; without it, of all. `filter`, `order` and `facet` need it. */
  type?: string[] | undefined;
  /** What a filter of the types has to be: `released>=1970`, with `=`, `>`, `>=`, `<` or `<=`; `released` alone asks for any value. Several `=` of one name: one of these values. Given up to 20 times, all have to hold. */
  filter?: string[] | undefined;
  /** Of an instant in `filter` that is a date, or a time without an offset: by whose clocks it is. */
  timeZone?: string | undefined;
  /** The filter that hits are ordered by, such as `released`, or `-released` for the greatest first; those without a value come last. By default the best come first; without `q`, they are in the order of types and ids. */
  order?: string | undefined;
  /** A filter whose values are counted among all that is found: the 50 most frequent ones. Given up to 10 times. */
  facet?: string[] | undefined;
  /** Whether to count all that is found; that takes about as long as finding it. */
  total?: boolean | undefined;
  /** How many to give at most; a page may hold fewer and still have a next one. */
  limit?: number | undefined;
  /** Where to go on: the `cursor` of the page before, with all other parameters the same. */
  cursor?: string | undefined;
  /** With the entities themselves, as they are in the table now: a request for each 100. Those that are gone by now are left out. */
  whole?: boolean | undefined;
}

export type SearchTextsOutput = {
  items: {
    type: string;
    id: string;
    /** Where the best come first: higher is better; of meaning only beside others of this answer. */
    score?: number | undefined;
    entity?: Entity | undefined;
  }[];
  /** Gives the next page, also where this one is short; the last page has none. */
  cursor?: string | undefined;
  /** With `total`: how many are found, on all pages. */
  total?: number | undefined;
  /** With `facet`, in that order. */
  facets?:
    | {
        name: string;
        /** The most frequent first. Text is as it is compared: collated, and of long ones the beginning. */
        values: {
          /** Any JSON: a text, a number, true or false; an instant in ISO-8601, in UTC; a list, a map; a set as a list in the order of its members. */
          value: AttributeValue;
          count: number;
        }[];
        /** Entities found that have another value. */
        others: number;
      }[]
    | undefined;
  /** Changes up to then have been looked into. */
  asOf: string;
  /** Milliseconds since then: at most 2,000 while all is well. */
  staleMs: number;
};

export interface RebuildTextsInput {}

export type RebuildTextsOutput = undefined;

export interface GetHotPartitionsInput {
  /** How many partition keys to give at most. */
  limit?: number | undefined;
  /** `true` gives only those that are hot now; otherwise the busiest, hot or not. */
  hot?: boolean | undefined;
}

export type GetHotPartitionsOutput = {
  /** A name that the process got at random when it started. */
  process: string;
  /** Seconds that the figures are of: the last ones. */
  windowSeconds: number;
  /** Capacity units a second that one partition key takes. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS): as they are, hashed, or hidden. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** All reasons, the most frequent first. */
  throttling: Throttling[];
  /** Those that are hot come first; of these, those that are throttled; then by `utilization`. */
  partitions: HotPartition[];
};

export interface GetMergedHotPartitionsInput {
  /** How many partition keys to give at most. */
  limit?: number | undefined;
  /** `true` gives only those that are hot now; otherwise the busiest, hot or not. */
  hot?: boolean | undefined;
}

export type GetMergedHotPartitionsOutput = {
  /** Seconds that the figures are of: the last ones. */
  windowSeconds: number;
  /** Capacity units a second that one partition key takes. */
  limits: {
    read: number;
    write: number;
  };
  /** How partition keys are named (HOT_PARTITION_KEYS): as they are, hashed, or hidden. */
  keys: 'shown' | 'hashed' | 'hidden';
  /** All reasons, the most frequent first. */
  throttling: Throttling[];
  /** Those that are hot come first; of these, those that are throttled; then by `utilization`. */
  partitions: HotPartition[];
  /** Who was asked. A process that answered at several addresses is counted once. */
  processes: (
    | {
        /** As HOT_PARTITION_PEERS has it; absent where it is the process that answers. */
        url?: string | undefined;
        /** Of the addresses that the URL stands for, this one. */
        address?: string | undefined;
        answered: true;
        /** A name that the process got at random when it started. */
        process: string;
      }
    | {
        /** As HOT_PARTITION_PEERS has it; absent where it is the process that answers. */
        url?: string | undefined;
        /** Of the addresses that the URL stands for, this one. */
        address?: string | undefined;
        answered: false;
        /** Why its share is missing. */
        why: string;
      }
  )[];
};

export const catalogOperations = {
  /** The types in the order of their names. */
  listTypes: operation<ListTypesInput, ListTypesOutput>({
    method: 'GET',
    path: '/v1/types',
    query: ['limit', 'cursor'],
  }),
  /**
   * Declare a type of entities, or change what is declared.
   *
   * The whole of it. What is new among searches and rankings is built from the entities that are there, and can be asked soon after. Entities that are there are migrated: shown as the type says from the answer on, and written behind. What goes with its values has to be named in `removed`; what they would not fit otherwise (a relation to one in place of many, or to another type) is refused.
   */
  putType: operation<PutTypeInput, PutTypeOutput>({
    method: 'PUT',
    path: '/v1/types/{type}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /** A type by its name. */
  getType: operation<GetTypeInput, GetTypeOutput>({
    method: 'GET',
    path: '/v1/types/{type}',
    query: [],
  }),
  /** Delete a type that has no entities. */
  deleteType: operation<DeleteTypeInput, DeleteTypeOutput>({
    method: 'DELETE',
    path: '/v1/types/{type}',
    query: [],
    headers: ['if-match'],
  }),
  /** An entity with its relations. */
  getEntity: operation<GetEntityInput, GetEntityOutput>({
    method: 'GET',
    path: '/v1/entities/{type}/{id}',
    query: ['limit', 'cursor', 'fields'],
  }),
  /**
   * Make an entity, or all of it anew.
   *
   * What is not given is not there afterwards, but for relations to many, which most answers leave out: they stay as they are unless they are named, and an empty list takes them away. The entity, its relations and what finds it change in one moment. What its relations lead to has to be there. Automatic attributes are written by the service, whatever is given.
   */
  putEntity: operation<PutEntityInput, PutEntityOutput>({
    method: 'PUT',
    path: '/v1/entities/{type}/{id}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /**
   * Change a part of an entity.
   *
   * What is not named stays as it is. Attributes that no search, full text or further ranking has take one request of the table, also the one that the first ranking of the type goes by. What is added takes place once, also where the service has to repeat a request of the table; a client that repeats its own without an answer sends If-Match.
   */
  patchEntity: operation<PatchEntityInput, PatchEntityOutput>({
    method: 'PATCH',
    path: '/v1/entities/{type}/{id}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Delete an entity with its relations.
   *
   * Where others relate to it, nothing is done, and `errors` says which do; with `detach=true` it is deleted, and their relations to it are taken away right behind it.
   */
  deleteEntity: operation<DeleteEntityInput, DeleteEntityOutput>({
    method: 'DELETE',
    path: '/v1/entities/{type}/{id}',
    query: ['detach', 'conditions'],
    headers: ['if-match'],
  }),
  /**
   * Change several entities, all of them or none.
   *
   * All of the operations take place in one moment, or none of them. Each is of another entity, and means what the request of
   * that name means; `check` changes nothing, and refuses all where the entity is not there or is not as it says. Relations may
   * lead to what the same transaction makes, and what relates to a deleted entity may be deleted with it.
   *
   * With the rows of their searches and relations, they may take 100 items of the table (400 `transaction-too-large`).
   * A client that has to repeat a request without an answer gives `ifMatch` or `ifNoneMatch` in one operation, so that it takes
   * place once.
   */
  writeTransaction: operation<WriteTransactionInput, WriteTransactionOutput>({
    method: 'POST',
    path: '/v1/transactions',
    query: [],
    type: 'application/json',
  }),
  /**
   * Create entities, as many as you like.
   *
   * One entity, an array of them, or one a line (NDJSON), read as they come. An entity may relate to those that stand before it. What is there already stays as it is; with `existing=replace` each entry is put, as by PUT. After a problem, or no answer, send all of it again: what was made is found by its id, so give ids, or an Idempotency-Key. With `existing=replace` that also undoes what others have changed in between.
   */
  createEntities: operation<CreateEntitiesInput, CreateEntitiesOutput>({
    method: 'POST',
    path: '/v1/entities',
    query: ['existing'],
    headers: ['idempotency-key'],
    type: 'application/json',
  }),
  /**
   * The entities of a type in the order of their ids, or those of some ids.
   *
   * In the order of their ids, which is that of their creation where the service made them. Relations to many are in it with `whole`, which
   * takes a request more for each entity: row by row, all that there is can be sent to POST /v1/entities again.
   * A change is seen a moment after it was answered: the index that lists them follows them.
   *
   * With `id`, those entities instead, in the order asked for and as they are now; `missing` names those that are not there.
   */
  listEntities: operation<ListEntitiesInput, ListEntitiesOutput>({
    method: 'GET',
    path: '/v1/entities/{type}',
    query: ['id', 'whole', 'order', 'fields', 'total', 'limit', 'cursor', 'resumable'],
  }),
  /**
   * The entities that an entity relates to, or that relate to it.
   *
   * `forward` gives those that the entity relates to, `backward` those that relate to it; each once, in the order of their ids,
   * with the names of the relations. Without `direction` it is the one that the two types have.
   *
   * Backward, a change is seen a moment after it was answered: that index follows the entities.
   */
  listRelated: operation<ListRelatedInput, ListRelatedOutput>({
    method: 'GET',
    path: '/v1/entities/{type}/{id}/related/{otherType}',
    query: [
      'direction',
      'relation',
      'order',
      'whole',
      'fields',
      'total',
      'limit',
      'cursor',
      'resumable',
    ],
  }),
  /**
   * All entities that an entity relates to, and all that relate to it.
   *
   * Of all types: first those that the entity relates to (`forward`), then those that relate to it (`backward`), or only those of
   * one `direction`; each direction in the order of types and ids. An entity that is related both ways is given twice.
   *
   * Backward, a change is seen a moment after it was answered: that index follows the entities.
   */
  listAllRelated: operation<ListAllRelatedInput, ListAllRelatedOutput>({
    method: 'GET',
    path: '/v1/entities/{type}/{id}/related',
    query: [
      'direction',
      'relation',
      'order',
      'whole',
      'fields',
      'total',
      'limit',
      'cursor',
      'resumable',
    ],
  }),
  /**
   * The entities that have attributes equal to, beginning with or in a range.
   *
   * In the order of the parts of the search, then of their ids. `eq` says what the leading parts are; of the part behind them,
   * `prefix` says what a text begins with, or `from` and `to` the range that it is in, both inclusive. Without any of them it is
   * a list of all entities that have those attributes.
   *
   * Of a search of a set, an entity is found by each member: once for each that is asked for, with that member in `values`.
   *
   * Collated text is found without regard to case and width. Of a long text only the beginning sorts; what is found is right.
   *
   * A change is found a moment after it was answered: the index follows the entities.
   */
  searchEntities: operation<SearchEntitiesInput, SearchEntitiesOutput>({
    method: 'GET',
    path: '/v1/search/{type}/{name}',
    query: [
      'eq',
      'prefix',
      'from',
      'to',
      'timeZone',
      'order',
      'whole',
      'fields',
      'total',
      'limit',
      'cursor',
      'resumable',
    ],
  }),
  /**
   * The entities in the order of a ranking.
   *
   * Those that tie share a rank, and the next one comes behind all of them: 1, 2, 2, 4. They stand in the order of their ids.
   * A change is ranked a moment after it was answered: the index follows the entities. From page to page ranks go on from
   * those before, as they were when they were given.
   */
  getRanking: operation<GetRankingInput, GetRankingOutput>({
    method: 'GET',
    path: '/v1/rankings/{type}/{name}',
    query: ['within', 'limit', 'cursor', 'whole', 'fields', 'total'],
  }),
  /**
   * The rank of an entity, and those around it.
   *
   * Those before it are counted, for a read unit each 8 KB of them. Where they are more than one answer may cost, `rankIsExact`
   * is false: the ranks are then at least those given. A change is ranked a moment after it was answered.
   */
  getRank: operation<GetRankInput, GetRankOutput>({
    method: 'GET',
    path: '/v1/rankings/{type}/{name}/{id}',
    query: ['neighbours'],
  }),
  /**
   * The entities in whose texts the words are, filtered, ordered and counted.
   *
   * Looks into the attributes that types name under `fullText`. All words of `q` have to be in the texts of an entity, in any
   * order, without regard to case, width (ｻｰﾓ, サーモ) and accents of Latin letters; of the last one the beginning is enough.
   * Where a script puts no spaces (居間の照明), any two neighbouring characters are a word. Where nothing is found, Latin words
   * of five letters and more may differ in one. Of an entity, the first 65,536 characters are searched.
   *
   * What types name under `filters` narrows that down, orders it and is counted by. Numbers compare to the digit, instants as times,
   * collated text without regard to case and width; of a text, the first 512 bytes count. A name that has `=`, `<`, `>` or `%`, or
   * begins with `-`, is percent-encoded (once more than the whole parameter).
   *
   * What was stored by `asOf` is found as it was then; later changes may be or not. Pages go on behind the last hit of the one
   * before: nothing that stays as it is comes twice or is missed, in every order but that of the best. Scores move a little with
   * all that the index takes in, and with the replica that answers.
   */
  searchTexts: operation<SearchTextsInput, SearchTextsOutput>({
    method: 'GET',
    path: '/v1/search',
    query: [
      'q',
      'type',
      'filter',
      'timeZone',
      'order',
      'facet',
      'total',
      'limit',
      'cursor',
      'whole',
    ],
  }),
  /**
   * Make the full-text index anew from the table.
   *
   * By each replica that has one, beside the one that is searched meanwhile. It is never needed in ordinary life: an index that is lost or too old is made anew without being asked.
   */
  rebuildTexts: operation<RebuildTextsInput, RebuildTextsOutput>({
    method: 'POST',
    path: '/v1/search/rebuild',
    query: [],
  }),
  /**
   * Which partition keys are hot, why, and what to do.
   *
   * What this process has sent to DynamoDB in the last seconds, by partition key. Others use the same keys: `/v1/hot-partitions/merged` asks them too.
   */
  getHotPartitions: operation<GetHotPartitionsInput, GetHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions',
    query: ['limit', 'hot'],
  }),
  /**
   * Which partition keys are hot, as all processes together know.
   *
   * Asks the processes that HOT_PARTITION_PEERS names, all at once and for two seconds at most, with the token of this request, and adds up what they say. Without any, it is what this process knows.
   */
  getMergedHotPartitions: operation<GetMergedHotPartitionsInput, GetMergedHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions/merged',
    query: ['limit', 'hot'],
  }),
};
