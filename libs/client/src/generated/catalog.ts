// Written by `npm run reference` from the OpenAPI documents of the services: change their routes, not this.
import { operation } from '../http/operation.ts';
import type {
  Throttling,
  AdviceCode,
  HotPartition,
  ReasonCode,
  HistoryRow,
  HistoryRun,
  Reshard,
  GetHotPartitionsInput,
  GetHotPartitionsOutput,
  GetMergedHotPartitionsInput,
  GetMergedHotPartitionsOutput,
  GetHotPartitionHistoryInput,
  GetHotPartitionHistoryOutput,
  GetMergedHotPartitionHistoryInput,
  GetMergedHotPartitionHistoryOutput,
} from './shared-types.ts';

export type {
  Throttling,
  AdviceCode,
  HotPartition,
  ReasonCode,
  HistoryRow,
  HistoryRun,
  Reshard,
  GetHotPartitionsInput,
  GetHotPartitionsOutput,
  GetMergedHotPartitionsInput,
  GetMergedHotPartitionsOutput,
  GetHotPartitionHistoryInput,
  GetHotPartitionHistoryOutput,
  GetMergedHotPartitionHistoryInput,
  GetMergedHotPartitionHistoryOutput,
};

export type EntityType = {
  name: string;
  attributes: {
    name: string;
    /** `list` and `map` have any JSON; `set` has distinct texts or numbers. */
    kind: 'text' | 'number' | 'boolean' | 'instant' | 'list' | 'map' | 'set';
    required: boolean;
    /** For a set: the kind of its members; default: `text`. */
    of?: ('text' | 'number') | undefined;
    /** For an instant: the service sets it when the entity is created, or at each change. */
    automatic?: ('created' | 'updated') | undefined;
    /** For a text, a number or an instant: no two entities of the type have the same value. */
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
          /** How it is sorted and compared; `collated` is text regardless of case and width. */
          as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        }
      | {
          relation: string;
        }
    )[];
    /** While `building` from the existing entities, it cannot be queried. */
    state: 'ready' | 'building';
  }[];
  rankings: {
    name: string;
    attribute: string;
    /** `descending`: the highest value has rank 1. */
    direction: 'ascending' | 'descending';
    ties?:
      | {
          attribute: string;
          /** `descending`: the highest value has rank 1. */
          direction: 'ascending' | 'descending';
        }
      | undefined;
    within?: string | undefined;
    period?:
      | {
          attribute: string;
          /** A day, an ISO week (Monday to Sunday) or a month, all in UTC. */
          length: 'P1D' | 'P1W' | 'P1M';
        }
      | undefined;
    /** While `building` from the existing entities, it cannot be queried. */
    state: 'ready' | 'building';
  }[];
  fullText: string[];
  additional: boolean;
  filters: (
    | {
        attribute: string;
        /** How it is sorted and compared; `collated` is text regardless of case and width. */
        as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        /** While `building` from the existing entities, it cannot be queried. */
        state: 'ready' | 'building';
      }
    | {
        relation: string;
        /** While `building` from the existing entities, it cannot be queried. */
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
  /** Incremented by each change; part of the ETag. */
  version: number;
};

export type EntityTypeWithBuild = {
  name: string;
  attributes: {
    name: string;
    /** `list` and `map` have any JSON; `set` has distinct texts or numbers. */
    kind: 'text' | 'number' | 'boolean' | 'instant' | 'list' | 'map' | 'set';
    required: boolean;
    /** For a set: the kind of its members; default: `text`. */
    of?: ('text' | 'number') | undefined;
    /** For an instant: the service sets it when the entity is created, or at each change. */
    automatic?: ('created' | 'updated') | undefined;
    /** For a text, a number or an instant: no two entities of the type have the same value. */
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
          /** How it is sorted and compared; `collated` is text regardless of case and width. */
          as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        }
      | {
          relation: string;
        }
    )[];
    /** While `building` from the existing entities, it cannot be queried. */
    state: 'ready' | 'building';
  }[];
  rankings: {
    name: string;
    attribute: string;
    /** `descending`: the highest value has rank 1. */
    direction: 'ascending' | 'descending';
    ties?:
      | {
          attribute: string;
          /** `descending`: the highest value has rank 1. */
          direction: 'ascending' | 'descending';
        }
      | undefined;
    within?: string | undefined;
    period?:
      | {
          attribute: string;
          /** A day, an ISO week (Monday to Sunday) or a month, all in UTC. */
          length: 'P1D' | 'P1W' | 'P1M';
        }
      | undefined;
    /** While `building` from the existing entities, it cannot be queried. */
    state: 'ready' | 'building';
  }[];
  fullText: string[];
  additional: boolean;
  filters: (
    | {
        attribute: string;
        /** How it is sorted and compared; `collated` is text regardless of case and width. */
        as: 'text' | 'collated' | 'number' | 'instant' | 'boolean';
        /** While `building` from the existing entities, it cannot be queried. */
        state: 'ready' | 'building';
      }
    | {
        relation: string;
        /** While `building` from the existing entities, it cannot be queried. */
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
  /** Incremented by each change; part of the ETag. */
  version: number;
  /** Progress of the build; present while entities are being rewritten for the new declaration. */
  build?:
    | {
        /** Number of entities processed. */
        done: number;
        /** When the type was changed. */
        since: string;
        /** Entities that cannot be rewritten for the new declaration; retried every minute until all succeed. */
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
  /** Searches that lack some entities, because one of their values does not fit in an index key. */
  leftOut?:
    | {
        search: string;
        /** Number of entities; 1000 means at least so many. */
        count: number;
        /** Some of these entities. */
        examples: {
          id: string;
          reason: string;
        }[];
      }[]
    | undefined;
  /** Attributes of `fullText` of whose text some entities have only a part in full-text search. */
  unindexed?:
    | {
        attribute: string;
        /** Number of entities; 1000 means at least so many. */
        count: number;
        /** Some of these entities. */
        examples: {
          id: string;
          reason: string;
        }[];
      }[]
    | undefined;
  /** Attributes whose kind was changed, and whose old value some entities keep as `unconverted`. */
  unconverted?:
    | {
        attribute: string;
        /** Number of entities; 1000 means at least so many. */
        count: number;
        /** Some of these entities. */
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
  /** The target id of each relation to one. Relations to many are listed by `related`; PUT keeps them if they are omitted. */
  relations: Record<string, string>;
  /** Values that could not be converted when the kind of their attribute changed; each is kept until the attribute is set to a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Incremented by each change; part of the ETag. */
  version: number;
};

export type WrittenEntity = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The target id of each relation to one. Relations to many are listed by `related`; PUT keeps them if they are omitted. */
  relations: Record<string, string>;
  /** Values that could not be converted when the kind of their attribute changed; each is kept until the attribute is set to a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Incremented by each change; part of the ETag. */
  version: number;
  /** Attributes of whose text only a part is in full-text search, with the reason. */
  unindexed?: Record<string, string> | undefined;
};

export type NewEntity = {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** If missing, an id of 26 characters is generated: a ULID, or a hash of the Idempotency-Key and the entry. */
  id?: string | undefined;
  /** By name; an instant as ISO-8601 or epoch milliseconds, a set as a list. */
  attributes?: Record<string, unknown> | undefined;
  /** By name: the target id, or for a relation to many a list of ids; if the relation has attributes, also `{"id": …, "attributes": {…}}`; without `attributes`, existing ones stay. */
  relations?: Record<string, string | (string | Record<string, unknown>)[]> | undefined;
  /** Set by the service: accepted if it equals the stored one. */
  createdAt?: unknown | undefined;
  /** Set by the service: accepted if it equals the stored one. */
  updatedAt?: unknown | undefined;
  /** Set by the service: the version that was read. A write is refused if the entity has another one by now. */
  version?: unknown | undefined;
  /** Set by the service: accepted if it equals the stored one. */
  unconverted?: unknown | undefined;
  /** Set by the service: accepted if it equals the stored one. */
  unindexed?: unknown | undefined;
  /** Set by the service: accepted if the entity has these relations, which stay. */
  relationParts?: unknown | undefined;
  /** Ignored: the next page of a response. */
  cursor?: unknown | undefined;
};

export type ListedWholeEntity = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The target id of each relation to one, the target ids of each relation to many; if the relation declares attributes, objects with id and attributes. */
  relations: Record<
    string,
    | string
    | string[]
    | {
        id: string;
        /** Attributes of the relation; absent if it has none. */
        attributes?: Record<string, AttributeValue> | undefined;
      }[]
  >;
  /** Values that could not be converted when the kind of their attribute changed; each is kept until the attribute is set to a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Incremented by each change; part of the ETag. */
  version: number;
  /** With `include`: the related entities, by relation. A relation without target is absent. */
  included?: Record<string, IncludedEntity> | undefined;
};

export type IncludedEntity = {
  id: string;
  /** By name. */
  attributes?: Record<string, AttributeValue> | undefined;
  /** Instead of the attributes: the entity was deleted, its time has passed, or these attributes have more than 16,000 bytes. */
  missing?: ('not-found' | 'expired' | 'too-large') | undefined;
};

export type RelatedEntity = {
  type: string;
  id: string;
  /** The names of the relations. */
  relations: string[];
  /** Attributes of these relations, by relation name, if they have any. */
  attributes?: Record<string, Record<string, AttributeValue>> | undefined;
  /** With `whole`. */
  entity?: ListedEntity | undefined;
};

export type ListedEntity = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The target id of each relation to one. Relations to many are listed by `related`; PUT keeps them if they are omitted. */
  relations: Record<string, string>;
  /** Values that could not be converted when the kind of their attribute changed; each is kept until the attribute is set to a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Incremented by each change; part of the ETag. */
  version: number;
  /** With `include`: the related entities, by relation. A relation without target is absent. */
  included?: Record<string, IncludedEntity> | undefined;
};

export type RelatedEntityEitherWay = {
  type: string;
  id: string;
  /** The names of the relations. */
  relations: string[];
  /** Attributes of these relations, by relation name, if they have any. */
  attributes?: Record<string, Record<string, AttributeValue>> | undefined;
  /** With `whole`. */
  entity?: ListedEntity | undefined;
  /** The direction of the relations. */
  direction: 'forward' | 'backward';
};

export type Relation = {
  /** The type of the other entity. */
  type: string;
  /** The id of the other entity. */
  id: string;
  /** The attributes of the relation, by name. */
  attributes: Record<string, AttributeValue>;
};

export type FoundEntity = {
  id: string;
  /** The values of the parts of the search: attributes, and ids of related entities. */
  values: Record<string, AttributeValue>;
};

export type RankedEntity = {
  /** 1 is the first; equal values share a rank. */
  rank: number;
  id: string;
  /** The value that it is ranked by: a number, or an instant as ISO-8601 in UTC. */
  value: number | string;
  /** The value that sorts it among entities with an equal one, if it has any. */
  tie?: (number | string) | undefined;
  /** With `whole`. */
  entity?: ListedEntity | undefined;
};

export type Standing = {
  /** 1 is the first; equal values share a rank. */
  rank: number;
  /** If false, the true ranks are at least those given. */
  rankIsExact: boolean;
  /** The value that it is ranked by: a number, or an instant as ISO-8601 in UTC. */
  value: number | string;
  /** For a ranking within a relation: the id of the entity whose ranking it is. */
  within?: string | undefined;
  /** For a ranking per period: the period of the entity. */
  period?: string | undefined;
  /** The neighbours before it, the entity, and the neighbours after it. */
  items: RankedEntity[];
};

export interface ListTypesInput {
  /** Maximum number of items; a page may have fewer although more follow. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
}

export type ListTypesOutput = {
  items: EntityType[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface PutTypeInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version. */
  ifMatch?: string | undefined;
  /** `*`: the item is created, and an existing one not changed. */
  ifNoneMatch?: string | undefined;
  body: {
    attributes?:
      | {
          /** Unique among attributes and relations: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** `list` and `map` have any JSON; `set` has distinct texts or numbers. */
          kind: 'text' | 'number' | 'boolean' | 'instant' | 'list' | 'map' | 'set';
          required?: boolean | undefined;
          /** For a set: the kind of its members; default: `text`. */
          of?: ('text' | 'number') | undefined;
          /** For an instant: the service sets it when the entity is created, or at each change. */
          automatic?: ('created' | 'updated') | undefined;
          /** For a text, a number or an instant: no two entities of the type have the same value. */
          unique?: boolean | undefined;
          /** Its previous name; ignored if the type has no such name any more. */
          renamedFrom?: string | undefined;
          /** Whether existing values of the previous kind are converted. */
          convert?: boolean | undefined;
        }[]
      | undefined;
    relations?:
      | {
          /** Unique among attributes and relations: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** The type of the target; it may be declared later. */
          to: string;
          /** Whether it may have several targets. */
          many?: boolean | undefined;
          /** For a relation to many: attributes of the relation to each target. */
          attributes?:
            | {
                name: string;
                kind: 'text' | 'number' | 'boolean' | 'instant';
                required?: boolean | undefined;
              }[]
            | undefined;
          /** Its previous name; ignored if the type has no such name any more. */
          renamedFrom?: string | undefined;
        }[]
      | undefined;
    searches?:
      | {
          /** Unique among searches and rankings: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** In sort order. */
          parts: {
            attribute?: string | undefined;
            /** How it is sorted and compared; `collated` is text regardless of case and width. */
            as?: ('text' | 'collated' | 'number' | 'instant' | 'boolean') | undefined;
            /** Instead of an attribute: a relation to one, searched by the id of its target. */
            relation?: string | undefined;
          }[];
        }[]
      | undefined;
    /** A change of the value of the first ranking costs one DynamoDB request. */
    rankings?:
      | {
          /** Unique among searches and rankings: 1 to 128 characters of any script, no control characters. */
          name: string;
          /** A number or an instant. */
          attribute: string;
          /** `descending`: the highest value has rank 1. */
          direction?: ('ascending' | 'descending') | undefined;
          /** Sorts entities with equal values; entities without this value come last. */
          ties?:
            | {
                /** Another number or instant. */
                attribute: string;
                /** `descending`: the highest value has rank 1. */
                direction: 'ascending' | 'descending';
              }
            | undefined;
          /** A relation to one: each target has its own ranking of the entities that relate to it. */
          within?: string | undefined;
          /** Each period has its own ranking of the entities whose instant is in it; entities without it are in none. */
          period?:
            | {
                /** An instant. */
                attribute: string;
                /** A day, an ISO week (Monday to Sunday) or a month, all in UTC. */
                length: 'P1D' | 'P1W' | 'P1M';
              }
            | undefined;
        }[]
      | undefined;
    /** The texts, or sets of texts, that the full-text search indexes. */
    fullText?: string[] | undefined;
    /** Whether entities may have undeclared attributes with any JSON, which cannot be searched. */
    additional?: boolean | undefined;
    /** Attributes and relations by which hits of the full-text search can be filtered, sorted and counted. */
    filters?:
      | {
          attribute?: string | undefined;
          /** How it is sorted and compared; `collated` is text regardless of case and width. */
          as?: ('text' | 'collated' | 'number' | 'instant' | 'boolean') | undefined;
          /** Instead of an attribute: a relation to one, searched by the id of its target. */
          relation?: string | undefined;
        }[]
      | undefined;
    /** An entity is deleted soon after the time in this attribute; without a value, it does not expire. */
    expires?:
      | {
          /** An instant. */
          attribute: string;
        }
      | undefined;
    /** Previously declared attributes and relations to delete, with their values. */
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
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
}

export type DeleteTypeOutput = undefined;

export interface GetEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Maximum number of relations to return. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
}

export type GetEntityOutput = {
  type: string;
  id: string;
  /** By name. */
  attributes: Record<string, AttributeValue>;
  /** The target id of each relation to one, the target ids of each relation to many; if the relation declares attributes, objects with id and attributes. */
  relations: Record<
    string,
    | string
    | string[]
    | {
        id: string;
        /** Attributes of the relation; absent if it has none. */
        attributes?: Record<string, AttributeValue> | undefined;
      }[]
  >;
  /** Values that could not be converted when the kind of their attribute changed; each is kept until the attribute is set to a value or null. */
  unconverted?: Record<string, AttributeValue> | undefined;
  createdAt: string;
  updatedAt: string;
  /** Incremented by each change; part of the ETag. */
  version: number;
  /** Relations to many that are shown in part, since their other targets are on other pages. They are not in `relations`, so PUT of the response keeps them; change them with POST …/relations/{name}. */
  relationParts?:
    | Record<
        string,
        | string[]
        | {
            id: string;
            /** Attributes of the relation; absent if it has none. */
            attributes?: Record<string, AttributeValue> | undefined;
          }[]
      >
    | undefined;
  /** Cursor of the next page of its relations, if there are more. */
  cursor?: string | undefined;
};

export interface PutEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The ETag of the item as it was read, or several, or *: the item is not created, and not changed where it has another version. */
  ifMatch?: string | undefined;
  /** `*`: the item is created, and an existing one not changed. */
  ifNoneMatch?: string | undefined;
  body: {
    /** By name; an instant as ISO-8601 or epoch milliseconds, a set as a list. */
    attributes?: Record<string, unknown> | undefined;
    /** By name: the target id, or for a relation to many a list of ids; if the relation has attributes, also `{"id": …, "attributes": {…}}`; without `attributes`, existing ones stay. */
    relations?: Record<string, string | (string | Record<string, unknown>)[]> | undefined;
    /** The same as in the path. */
    type?: string | undefined;
    /** The same as in the path. */
    id?: string | undefined;
    /** Set by the service: accepted if it equals the stored one. */
    createdAt?: unknown | undefined;
    /** Set by the service: accepted if it equals the stored one. */
    updatedAt?: unknown | undefined;
    /** Set by the service: the version that was read. A write is refused if the entity has another one by now. */
    version?: unknown | undefined;
    /** Set by the service: accepted if it equals the stored one. */
    unconverted?: unknown | undefined;
    /** Set by the service: accepted if it equals the stored one. */
    unindexed?: unknown | undefined;
    /** Set by the service: accepted if the entity has these relations, which stay. */
    relationParts?: unknown | undefined;
    /** Ignored: the next page of a response. */
    cursor?: unknown | undefined;
  };
}

export type PutEntityOutput = WrittenEntity;

export interface PatchEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Whether to create the entity if it does not exist, as if it existed without attributes and relations: a number begins at 0. Required attributes have to be given. Not with If-Match. */
  upsert?: boolean | undefined;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
  body: {
    /** Attributes to change, by name; null removes one. A number can be incremented with `{"add": 1}`, a set changed with `{"append": [members], "remove": [members]}`. */
    attributes?: Record<string, unknown> | undefined;
    /** Changes of values inside maps, by the attribute, then by JSON Pointer (RFC 6901): `{"options": {"/counts/visits": {"add": 1}}}`; `set` replaces a value, `append` adds values to a list, null removes a name. Missing maps on the way are created. */
    inside?:
      | Record<
          string,
          Record<
            string,
            {
              set?: unknown | undefined;
              add?: number | undefined;
              append?: unknown[] | undefined;
            } | null
          >
        >
      | undefined;
    /** Relations to change, by name: the new id or ids; null removes the relation; a relation to many also takes `{"add": [ids], "remove": [ids]}`. If the relation has attributes, an id may be `{"id": …, "attributes": {…}}`; in `add`, only the named attributes change. */
    relations?:
      | Record<
          string,
          string | (string | Record<string, unknown>)[] | Record<string, unknown> | null
        >
      | undefined;
    /** Conditions on attributes, by name, checked atomically with the change: `{"stock": {"atLeast": 1}}`; `contains` tests a member of a set; `inside` has conditions on values inside a map, by JSON Pointer: `{"options": {"inside": {"/counts/visits": {"atMost": 9}}}}`. */
    conditions?:
      | Record<
          string,
          {
            equals?: unknown | undefined;
            atLeast?: unknown | undefined;
            atMost?: unknown | undefined;
            contains?: unknown | undefined;
            exists?: boolean | undefined;
            inside?: Record<string, Record<string, unknown>> | undefined;
          }
        >
      | undefined;
  };
}

export type PatchEntityOutput = WrittenEntity;

export interface DeleteEntityInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** Whether to delete the entity despite relations of other entities to it, and remove these relations. */
  detach?: boolean | undefined;
  /** Conditions on attributes, checked atomically with the deletion: JSON like `conditions` of PATCH, for example `{"state":{"equals":"done"}}`, percent-encoded. */
  conditions?: string | undefined;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
}

export type DeleteEntityOutput = undefined;

export interface GetEntityByValueInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** A unique attribute of the type, percent-encoded. */
  attribute: string;
  /** The value: text, a number, or a time with an offset. */
  value: string;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
}

export type GetEntityByValueOutput = Entity;

export interface ChangeRelationInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The name of the relation. */
  name: string;
  /** The ETag of the item as it was read, or several: nothing is changed where the item has another version by now. */
  ifMatch?: string | undefined;
  body: {
    /** Ids to add; if the relation has attributes, also `{"id": …, "attributes": {…}}`, of which only the named attributes change. */
    add?:
      | (
          | string
          | {
              id: string;
              [name: string]: unknown;
            }
        )[]
      | undefined;
    remove?: string[] | undefined;
  };
}

export type ChangeRelationOutput = Entity;

export interface WriteTransactionInput {
  body: {
    operations: (
      | {
          operation: 'put';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** By name; an instant as ISO-8601 or epoch milliseconds, a set as a list. */
          attributes?: Record<string, unknown> | undefined;
          /** By name: the target id, or for a relation to many a list of ids; if the relation has attributes, also `{"id": …, "attributes": {…}}`; without `attributes`, existing ones stay. */
          relations?: Record<string, string | (string | Record<string, unknown>)[]> | undefined;
          /** Set by the service: accepted if it equals the stored one. */
          createdAt?: unknown | undefined;
          /** Set by the service: accepted if it equals the stored one. */
          updatedAt?: unknown | undefined;
          /** Set by the service: the version that was read. A write is refused if the entity has another one by now. */
          version?: unknown | undefined;
          /** Set by the service: accepted if it equals the stored one. */
          unconverted?: unknown | undefined;
          /** Set by the service: accepted if it equals the stored one. */
          unindexed?: unknown | undefined;
          /** Set by the service: accepted if the entity has these relations, which stay. */
          relationParts?: unknown | undefined;
          /** Ignored: the next page of a response. */
          cursor?: unknown | undefined;
          /** The ETag that the client read: nothing is written if the entity has another one now. */
          ifMatch?: string | undefined;
          /** Only if the entity does not exist yet. */
          ifNoneMatch?: '*' | undefined;
        }
      | {
          operation: 'patch';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** Attributes to change, by name; null removes one. A number can be incremented with `{"add": 1}`, a set changed with `{"append": [members], "remove": [members]}`. */
          attributes?: Record<string, unknown> | undefined;
          /** Changes of values inside maps, by the attribute, then by JSON Pointer (RFC 6901): `{"options": {"/counts/visits": {"add": 1}}}`; `set` replaces a value, `append` adds values to a list, null removes a name. Missing maps on the way are created. */
          inside?:
            | Record<
                string,
                Record<
                  string,
                  {
                    set?: unknown | undefined;
                    add?: number | undefined;
                    append?: unknown[] | undefined;
                  } | null
                >
              >
            | undefined;
          /** Relations to change, by name: the new id or ids; null removes the relation; a relation to many also takes `{"add": [ids], "remove": [ids]}`. If the relation has attributes, an id may be `{"id": …, "attributes": {…}}`; in `add`, only the named attributes change. */
          relations?:
            | Record<
                string,
                string | (string | Record<string, unknown>)[] | Record<string, unknown> | null
              >
            | undefined;
          /** Conditions on attributes, by name, checked atomically with the change: `{"stock": {"atLeast": 1}}`; `contains` tests a member of a set; `inside` has conditions on values inside a map, by JSON Pointer: `{"options": {"inside": {"/counts/visits": {"atMost": 9}}}}`. */
          conditions?:
            | Record<
                string,
                {
                  equals?: unknown | undefined;
                  atLeast?: unknown | undefined;
                  atMost?: unknown | undefined;
                  contains?: unknown | undefined;
                  exists?: boolean | undefined;
                  inside?: Record<string, Record<string, unknown>> | undefined;
                }
              >
            | undefined;
          /** The ETag that the client read: nothing is written if the entity has another one now. */
          ifMatch?: string | undefined;
          /** Whether to create the entity if it does not exist, as if it existed without attributes and relations: a number begins at 0. Required attributes have to be given. Not with If-Match. */
          upsert?: boolean | undefined;
        }
      | {
          operation: 'delete';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** Whether to delete the entity despite relations of entities outside this transaction, and remove these relations. */
          detach?: boolean | undefined;
          /** Conditions on attributes, by name, checked atomically with the change: `{"stock": {"atLeast": 1}}`; `contains` tests a member of a set; `inside` has conditions on values inside a map, by JSON Pointer: `{"options": {"inside": {"/counts/visits": {"atMost": 9}}}}`. */
          conditions?:
            | Record<
                string,
                {
                  equals?: unknown | undefined;
                  atLeast?: unknown | undefined;
                  atMost?: unknown | undefined;
                  contains?: unknown | undefined;
                  exists?: boolean | undefined;
                  inside?: Record<string, Record<string, unknown>> | undefined;
                }
              >
            | undefined;
          /** The ETag that the client read: nothing is written if the entity has another one now. */
          ifMatch?: string | undefined;
        }
      | {
          operation: 'check';
          /** The name of the type: 1 to 128 characters, percent-encoded. */
          type: string;
          /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
          id: string;
          /** Conditions on attributes, by name, checked atomically with the change: `{"stock": {"atLeast": 1}}`; `contains` tests a member of a set; `inside` has conditions on values inside a map, by JSON Pointer: `{"options": {"inside": {"/counts/visits": {"atMost": 9}}}}`. */
          conditions?:
            | Record<
                string,
                {
                  equals?: unknown | undefined;
                  atLeast?: unknown | undefined;
                  atMost?: unknown | undefined;
                  contains?: unknown | undefined;
                  exists?: boolean | undefined;
                  inside?: Record<string, Record<string, unknown>> | undefined;
                }
              >
            | undefined;
          /** The ETag that the client read: nothing is written if the entity has another one now. */
          ifMatch?: string | undefined;
        }
    )[];
  };
}

export type WriteTransactionOutput = {
  items: {
    type: string;
    id: string;
    /** The new ETag; absent for a deleted entity. */
    etag?: string | undefined;
    /** Present for `put` and `patch`. */
    entity?: Entity | undefined;
  }[];
};

export interface CreateEntitiesInput {
  /** Whether existing entities are kept or replaced. */
  existing?: ('keep' | 'replace') | undefined;
  /** Identifies this request, so that a retry gives each entry without an id the same id again. For example a UUID. */
  idempotencyKey?: string | undefined;
  body: NewEntity | NewEntity[];
}

export type CreateEntitiesOutput = {
  entities: {
    created: number;
    /** Entities that existed and were kept. */
    existing: number;
    /** With `existing=replace`: entities that were replaced. */
    replaced?: number | undefined;
    /** With `existing=replace`: entities that had this content already. */
    unchanged?: number | undefined;
  };
  /** Number of rejected entries. */
  failed: number;
  /** The reasons of the first 100 rejected entries. */
  errors: {
    /** The line, or the position in the array, from 1. */
    line: number;
    message: string;
  }[];
};

export interface ListEntitiesInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** Ids of the entities to return, at most 100: `id=a&id=b`. */
  id?: string[] | undefined;
  /** Whether to include relations to many; then a page has at most 100 entities. */
  whole?: boolean | undefined;
  /** Default: `ascending`. */
  order?: ('ascending' | 'descending') | undefined;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
  /** Include attributes of the entity that a relation to one relates to: `include=customer.name&include=customer.city`, for one more DynamoDB request per 100 distinct entities. They are in `included` of each entity. A `.` or `%` in a name is percent-encoded, in addition to the encoding of the whole parameter. Do not send such a response back with PUT. */
  include?: string[] | undefined;
  /** Whether to return the total number of items on all pages. They are counted, for one read unit per 8 KB. Not available as CSV or NDJSON. */
  total?: boolean | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListEntitiesOutput = {
  items: ListedWholeEntity[];
  /** Requested ids that no entity has. */
  missing?: string[] | undefined;
  /** With `total=true`: the number of items on all pages. */
  total?: number | undefined;
  /** With `total=true`; if false, there are more than `total`: counting them would exceed the cost limit of a request. */
  totalIsExact?: boolean | undefined;
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface ListRelatedInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  otherType: string;
  direction?: ('forward' | 'backward') | undefined;
  /** Only entities related by this relation. Finding few among many may take several reads. */
  relation?: string | undefined;
  order?: ('ascending' | 'descending') | undefined;
  /** Whether to include the related entities, for one more DynamoDB request per 100. */
  whole?: boolean | undefined;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
  /** Include attributes of the entity that a relation to one relates to: `include=customer.name&include=customer.city`, for one more DynamoDB request per 100 distinct entities. They are in `included` of each entity. A `.` or `%` in a name is percent-encoded, in addition to the encoding of the whole parameter. Do not send such a response back with PUT. */
  include?: string[] | undefined;
  /** Whether to return the total number of items on all pages. They are counted, for one read unit per 8 KB. Not available as CSV or NDJSON. */
  total?: boolean | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListRelatedOutput = {
  items: RelatedEntity[];
  /** With `total=true`: the number of items on all pages. */
  total?: number | undefined;
  /** With `total=true`; if false, there are more than `total`: counting them would exceed the cost limit of a request. */
  totalIsExact?: boolean | undefined;
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface ListAllRelatedInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  direction?: ('forward' | 'backward') | undefined;
  /** Only entities related by this relation. Finding few among many may take several reads. */
  relation?: string | undefined;
  order?: ('ascending' | 'descending') | undefined;
  /** Whether to include the related entities, for one more DynamoDB request per 100. */
  whole?: boolean | undefined;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
  /** Whether to return the total number of items on all pages. They are counted, for one read unit per 8 KB. Not available as CSV or NDJSON. */
  total?: boolean | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type ListAllRelatedOutput = {
  items: RelatedEntityEitherWay[];
  /** With `total=true`: the number of items on all pages. */
  total?: number | undefined;
  /** With `total=true`; if false, there are more than `total`: counting them would exceed the cost limit of a request. */
  totalIsExact?: boolean | undefined;
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRelationInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** The name of the relation. */
  name: string;
  /** The id of the other entity, percent-encoded. */
  other: string;
}

export type GetRelationOutput = Relation;

export interface SearchEntitiesInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The name of the search, percent-encoded. */
  name: string;
  /** Values of the leading parts, in order: `eq=a&eq=b`. */
  eq?: string[] | undefined;
  /** Beginning of the next part, a text. */
  prefix?: string | undefined;
  /** Minimum of the next part, inclusive. */
  from?: string | undefined;
  /** Maximum of the next part, inclusive. */
  to?: string | undefined;
  /** Time zone of dates (their midnight) and local times given for instants: an IANA name such as Asia/Tokyo. Instants may also be `now`, `now-15m` or `now+30d` (units s, m, h, d, w): of the first page, on all pages. */
  timeZone?: string | undefined;
  order?: ('ascending' | 'descending') | undefined;
  /** Whether to return the whole entities, for one more DynamoDB request per 100. */
  whole?: boolean | undefined;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
  /** Include attributes of the entity that a relation to one relates to: `include=customer.name&include=customer.city`, for one more DynamoDB request per 100 distinct entities. They are in `included` of each entity. A `.` or `%` in a name is percent-encoded, in addition to the encoding of the whole parameter. Do not send such a response back with PUT. */
  include?: string[] | undefined;
  /** Whether to return the total number of items on all pages. They are counted, for one read unit per 8 KB. Not available as CSV or NDJSON. */
  total?: boolean | undefined;
  /** Maximum number of items; a page may have fewer although more follow. By default 100 for a page of JSON, and all for CSV and NDJSON. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** With `true`, some rows of CSV and NDJSON (every 1000th or more) have a `cursor`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor. */
  resumable?: boolean | undefined;
}

export type SearchEntitiesOutput = {
  items: (FoundEntity | ListedEntity)[];
  /** With `total=true`: the number of items on all pages. */
  total?: number | undefined;
  /** With `total=true`; if false, there are more than `total`: counting them would exceed the cost limit of a request. */
  totalIsExact?: boolean | undefined;
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRankingInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The name of the ranking, percent-encoded. */
  name: string;
  /** For a ranking within a relation: the id of the entity whose ranking it is. */
  within?: string | undefined;
  /** For a ranking per period: its name, such as `2026-11-29`, `2026-W48` or `2026-11`, or a time in it, such as `now-1w`. Default: the current period, in UTC; of the first page, on all pages. */
  period?: string | undefined;
  /** Minimum of the value, inclusive. */
  from?: string | undefined;
  /** Maximum of the value, inclusive. If entities rank before the range, its first page counts them, for one read unit per 8 KB of index rows. */
  to?: string | undefined;
  /** Time zone of dates and local times in `from` and `to`. For instants they may also be `now`, `now-15m` or `now+30d` (units s, m, h, d, w): of the first page, on all pages. */
  timeZone?: string | undefined;
  /** Maximum number of items; a page may have fewer although more follow. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** Whether to include the entities. */
  whole?: boolean | undefined;
  /** Return only these attributes and relations: `fields=a&fields=b`. Do not send such a response back with PUT: that would remove the others. */
  fields?: string[] | undefined;
  /** Include attributes of the entity that a relation to one relates to: `include=customer.name&include=customer.city`, for one more DynamoDB request per 100 distinct entities. They are in `included` of each entity. A `.` or `%` in a name is percent-encoded, in addition to the encoding of the whole parameter. Do not send such a response back with PUT. */
  include?: string[] | undefined;
  /** Whether to return the total number of items on all pages. They are counted, for one read unit per 8 KB. Not available as CSV or NDJSON. */
  total?: boolean | undefined;
}

export type GetRankingOutput = {
  items: RankedEntity[];
  /** For a ranking per period: the name of the period. */
  period?: string | undefined;
  /** With a range: if false, the true ranks are at least those given. */
  rankIsExact?: boolean | undefined;
  /** With `total=true`: the number of items on all pages. */
  total?: number | undefined;
  /** With `total=true`; if false, there are more than `total`: counting them would exceed the cost limit of a request. */
  totalIsExact?: boolean | undefined;
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
};

export interface GetRankInput {
  /** The name of the type: 1 to 128 characters, percent-encoded. */
  type: string;
  /** The name of the ranking, percent-encoded. */
  name: string;
  /** The id of the entity, unique in its type: 1 to 128 characters, percent-encoded. */
  id: string;
  /** How many neighbours to return before it and after it. */
  neighbours?: number | undefined;
}

export type GetRankOutput = Standing;

export interface SearchTextsInput {
  /** Words to search for; punctuation alone finds nothing. Without it, all entities of `type` are listed, also those without texts. */
  q?: string | undefined;
  /** Only entities of these types; default: all types. Required with `filter`, `order` and `facet`. */
  type?: string[] | undefined;
  /** A condition on a filter of the types: `released>=1970`, with `=`, `!=`, `>`, `>=`, `<` or `<=`; `released` alone: has a value; `!released`: has none. Several `=` on one name, and `!released` with them, are alternatives. `!=` also matches entities without a value. May be repeated up to 60 times; all other conditions must match. */
  filter?: string[] | undefined;
  /** Time zone of an instant in `filter` that is a date, or a time without an offset. It may also be `now`, `now-15m` or `now+30d` (units s, m, h, d, w): of the first page, on all pages. */
  timeZone?: string | undefined;
  /** The filter to sort by, such as `released`, or `-released` for descending order; hits without a value come last. Default: by relevance; without `q`, by type and id. */
  order?: string | undefined;
  /** A filter whose values are counted among all hits; returns the 50 most frequent values. May be repeated up to 10 times. */
  facet?: string[] | undefined;
  /** Whether the counts of a facet leave out the filters of its own name, and are those of each value if it were selected. */
  multiSelect?: boolean | undefined;
  /** Whether to count all hits; takes about as long as the search. */
  total?: boolean | undefined;
  /** Maximum number of hits on a page; a page with fewer may still have a next one. */
  limit?: number | undefined;
  /** The `cursor` of the previous page, to get the next one; all other parameters must be the same. */
  cursor?: string | undefined;
  /** Whether to include the entities, read from the table with one DynamoDB request per 100. Entities deleted since are omitted. */
  whole?: boolean | undefined;
  /** Include attributes of the entity that a relation to one relates to: `include=customer.name&include=customer.city`, for one more DynamoDB request per 100 distinct entities. They are in `included` of each entity. A `.` or `%` in a name is percent-encoded, in addition to the encoding of the whole parameter. Do not send such a response back with PUT. */
  include?: string[] | undefined;
}

export type SearchTextsOutput = {
  items: {
    type: string;
    id: string;
    /** Only when sorted by relevance: higher is better; comparable only within one response. */
    score?: number | undefined;
    /** With `whole`. */
    entity?: ListedEntity | undefined;
  }[];
  /** Cursor of the next page, also if this page is short; absent on the last page. */
  cursor?: string | undefined;
  /** With `total`: the number of hits on all pages. */
  total?: number | undefined;
  /** With `facet`, in the requested order. */
  facets?:
    | {
        name: string;
        /** The most frequent first; each member of a set counts. Text is in its compared form: collated if the filter is, and truncated if long. */
        values: {
          /** Any JSON: a text, a number, true or false; an instant as ISO-8601 in UTC; a list, a map; a set as a sorted list. */
          value: AttributeValue;
          count: number;
        }[];
        /** Hits that have another value; for a set, the sum of the counts of other members. */
        others: number;
      }[]
    | undefined;
  /** The index has all changes up to this time. */
  asOf: string;
  /** Milliseconds since `asOf`: at most 2,000 in normal operation. */
  staleMs: number;
};

export interface RebuildTextsInput {}

export type RebuildTextsOutput = undefined;

export const catalogOperations = {
  /** List the types, sorted by name. */
  listTypes: operation<ListTypesInput, ListTypesOutput>({
    method: 'GET',
    path: '/v1/types',
    query: ['limit', 'cursor'],
  }),
  /**
   * Declare or change an entity type.
   *
   * The body is the complete declaration. New searches and rankings are built from the existing entities in the background, and can be queried once built. Existing entities are migrated: from the response on they are returned as the type declares, and rewritten in the background. Attributes and relations whose values are to be deleted must be named in `removed`; other changes that existing entities do not fit (a relation to one in place of many, or to another type) are refused.
   */
  putType: operation<PutTypeInput, PutTypeOutput>({
    method: 'PUT',
    path: '/v1/types/{type}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /** Get a type. */
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
  /**
   * Get an entity with its relations.
   *
   * The response has up to 1,000 related entities, fewer if they are larger than a page. A relation to many of which there are more is in `relationParts` instead of `relations`. All pages are of one version of the entity: the cursor of a page is refused (412) after the entity has changed.
   */
  getEntity: operation<GetEntityInput, GetEntityOutput>({
    method: 'GET',
    path: '/v1/entities/{type}/{id}',
    query: ['limit', 'cursor', 'fields'],
  }),
  /**
   * Create or replace an entity.
   *
   * Missing attributes and relations are removed. Missing relations to many are kept, since most responses omit them; an empty list removes them. The entity, its relations and its index rows change atomically. The targets of its relations must exist. The body of a response can be sent back: properties that the service sets, and automatic attributes, are accepted if they equal the stored ones, and refused if they differ; where the entity does not exist, they are ignored. A `version` that is not the stored one is answered 412.
   */
  putEntity: operation<PutEntityInput, PutEntityOutput>({
    method: 'PUT',
    path: '/v1/entities/{type}/{id}',
    query: [],
    headers: ['if-match', 'if-none-match'],
    type: 'application/json',
  }),
  /**
   * Change attributes and relations of an entity.
   *
   * Unnamed attributes and relations are unchanged. The value of a map is replaced; as `application/merge-patch+json` (RFC 7396) it is merged: names that it does not have stay, and null removes a name. A change takes one DynamoDB request if no search, full text, filter or further ranking uses the attributes, and no value inside a map is changed; the attribute of the first ranking counts as such, too. An `add` is applied exactly once even if the service retries its request to DynamoDB; a client that retries its own request after a lost response sends If-Match.
   */
  patchEntity: operation<PatchEntityInput, PatchEntityOutput>({
    method: 'PATCH',
    path: '/v1/entities/{type}/{id}',
    query: ['upsert'],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Delete an entity with its relations.
   *
   * If other entities have relations to it, nothing is deleted, and `errors` lists them. With `detach=true` the entity is deleted, and these relations are removed in the background right after.
   */
  deleteEntity: operation<DeleteEntityInput, DeleteEntityOutput>({
    method: 'DELETE',
    path: '/v1/entities/{type}/{id}',
    query: ['detach', 'conditions'],
    headers: ['if-match'],
  }),
  /**
   * Get the entity that has a unique value.
   *
   * Strongly consistent: two GetItem requests, of the value and of its entity; one if no entity has the value. Without relations to many, like the response to a PUT.
   */
  getEntityByValue: operation<GetEntityByValueInput, GetEntityByValueOutput>({
    method: 'GET',
    path: '/v1/unique/{type}/{attribute}',
    query: ['value', 'fields'],
  }),
  /**
   * Add and remove related entities of a relation to many.
   *
   * Other related entities stay, however many there are: neither the client nor the service reads them. An id that is added and exists already, or is removed and does not exist, changes nothing, so the request can be repeated. An id that is added and removed stays.
   */
  changeRelation: operation<ChangeRelationInput, ChangeRelationOutput>({
    method: 'POST',
    path: '/v1/entities/{type}/{id}/relations/{name}',
    query: [],
    headers: ['if-match'],
    type: 'application/json',
  }),
  /**
   * Change several entities, all of them or none.
   *
   * All operations are applied atomically, or none. Each is of a different entity, and does the same as the request of that
   * name; `check` writes nothing, and fails the transaction if the entity does not exist or does not meet its conditions.
   * Relations may lead to entities that the same transaction creates, and related entities may be deleted together.
   *
   * Together with their search rows and relations, the operations may write 100 items of the table (400 `transaction-too-large`).
   * A client that retries after a lost response gives `ifMatch` or `ifNoneMatch` in one operation, so that the transaction is
   * applied only once.
   */
  writeTransaction: operation<WriteTransactionInput, WriteTransactionOutput>({
    method: 'POST',
    path: '/v1/transactions',
    query: [],
    type: 'application/json',
  }),
  /**
   * Create many entities in one request.
   *
   * The body is one entity, an array of entities, or NDJSON with one entity per line; it is processed as it arrives. An entity may relate to any entity of the body, before or after it: relations to entities that do not exist are refused when the body is complete. Existing entities are kept; with `existing=replace` each entry replaces the entity like PUT. The properties that the service sets are compared with those of an entity that has the same `createdAt`; an entry with another `createdAt`, or none, is from elsewhere, and they are ignored. After an error or a lost response, send the whole body again: entities are identified by their ids, so give each an id, or send an Idempotency-Key. With `existing=replace`, a retry also overwrites changes that other clients made in the meantime.
   */
  createEntities: operation<CreateEntitiesInput, CreateEntitiesOutput>({
    method: 'POST',
    path: '/v1/entities',
    query: ['existing'],
    headers: ['idempotency-key'],
    type: 'application/json',
  }),
  /**
   * List the entities of a type, or get some by their ids.
   *
   * Sorted by id; ids generated by the service sort by creation time. Relations to many are included only with `whole`, for one
   * more DynamoDB request per entity if the type declares any; such a list as NDJSON can be sent to POST /v1/entities again. The index is eventually
   * consistent: a change is visible a moment after its response.
   *
   * With `id`, returns those entities instead, in the requested order and read from the table; `missing` lists ids without entity. If
   * they exceed a page, a cursor continues with the same ids.
   */
  listEntities: operation<ListEntitiesInput, ListEntitiesOutput>({
    method: 'GET',
    path: '/v1/entities/{type}',
    query: ['id', 'whole', 'order', 'fields', 'include', 'total', 'limit', 'cursor', 'resumable'],
  }),
  /**
   * List the entities of a type that are related to an entity.
   *
   * `forward` lists targets of the entity's relations, `backward` sources of relations to the entity; each once, sorted by id,
   * with the names of the relations. `direction` may be omitted if the types are related in one direction only.
   *
   * Backward, the index is eventually consistent: a change is visible a moment after its response.
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
      'include',
      'total',
      'limit',
      'cursor',
      'resumable',
    ],
  }),
  /**
   * List all entities related to an entity, in both directions.
   *
   * Related entities of all types: first targets of the entity's relations (`forward`), then sources of relations to the
   * entity (`backward`), or only one `direction`; each sorted by type and id. An entity related in both directions is listed
   * twice.
   *
   * Backward, the index is eventually consistent: a change is visible a moment after its response.
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
   * Get the relation between two entities.
   *
   * Whether two entities are related: 404 `relation-not-found` if they are not, or if one of them does not exist. Strongly
   * consistent, and one DynamoDB request, however many relations the entities have. The relation of the first entity to the other
   * one counts; the other direction is a request of its own. Like in `related`, a relation to a deleted or expired entity is
   * found until it is removed in the background.
   */
  getRelation: operation<GetRelationInput, GetRelationOutput>({
    method: 'GET',
    path: '/v1/entities/{type}/{id}/relations/{name}/{other}',
    query: [],
  }),
  /**
   * Search entities by attributes: equality, prefix or range.
   *
   * Sorted by the parts of the search, then by id. `eq` gives the values of the leading parts; for the next part, `prefix` gives
   * the beginning of a text, or `from` and `to` an inclusive range. Without any of them, all entities with those attributes are
   * listed.
   *
   * In a search with a set, an entity is returned once for each matching member, with that member in `values`.
   *
   * Collated text matches regardless of case and width. A long text is sorted by its beginning only, but matched exactly.
   *
   * The index is eventually consistent: a change is found a moment after its response.
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
      'include',
      'total',
      'limit',
      'cursor',
      'resumable',
    ],
  }),
  /**
   * List the entities of a ranking in order.
   *
   * Equal values share a rank, and the next value skips the shared ones: 1, 2, 2, 4. Entities with equal values are sorted by id.
   * With `ties`, only entities that are equal in both values share a rank.
   * The index is eventually consistent: a change is ranked a moment after its response. The ranks of a page continue from those
   * of the previous page, as they were when it was read.
   */
  getRanking: operation<GetRankingInput, GetRankingOutput>({
    method: 'GET',
    path: '/v1/rankings/{type}/{name}',
    query: [
      'within',
      'period',
      'from',
      'to',
      'timeZone',
      'limit',
      'cursor',
      'whole',
      'fields',
      'include',
      'total',
    ],
  }),
  /**
   * Get the rank of an entity and its neighbours.
   *
   * The rank is found by counting the entities before it, for one read unit per 8 KB. If that would exceed the cost limit of a
   * request, `rankIsExact` is false, and the true ranks are at least those given. The index is eventually consistent: a change is
   * ranked a moment after its response.
   */
  getRank: operation<GetRankInput, GetRankOutput>({
    method: 'GET',
    path: '/v1/rankings/{type}/{name}/{id}',
    query: ['neighbours'],
  }),
  /**
   * Search the texts of entities, with filters, sorting and facets.
   *
   * Searches the attributes that types declare under `fullText`. All words of `q` must occur in the texts of an entity, in any
   * order, regardless of case, width (ｻｰﾓ, サーモ) and accents of Latin letters; the last word matches as a prefix. In scripts
   * without spaces (居間の照明), each two adjacent characters are a word. If nothing is found, Latin words of five or more letters
   * also match words that differ in one letter. The first 65,536 characters of an entity are indexed.
   *
   * The attributes that types declare under `filters` can be used to filter, sort and count hits. Numbers compare exactly,
   * instants as times, collated text regardless of case and width; the first 512 bytes of a text count. A name that has `=`, `<`,
   * `>` or `%`, begins with `-` or `!`, or ends with `!`, is percent-encoded (in addition to the encoding of the whole parameter).
   * A set meets a condition if a member does; it cannot be sorted by.
   *
   * Entities stored by `asOf` are found as they were then; later changes may or may not be. A page continues after the last hit of
   * the previous one: unchanged entities are neither repeated nor skipped, except when sorted by relevance, since scores change
   * slightly with every change of the index, and between replicas.
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
      'multiSelect',
      'total',
      'limit',
      'cursor',
      'whole',
      'include',
    ],
  }),
  /**
   * Rebuild the full-text index from the table.
   *
   * Each replica with an index of its own rebuilds it, and searches the old one until the new one is complete. Not needed in normal operation: a lost or outdated index is rebuilt automatically.
   */
  rebuildTexts: operation<RebuildTextsInput, RebuildTextsOutput>({
    method: 'POST',
    path: '/v1/search/rebuild',
    query: [],
  }),
  /**
   * List hot partitions of this process.
   *
   * The partition keys that this process uses most, with their load and throttles of the last seconds, the reason, and advice. Other processes use the same keys: `/v1/hot-partitions/merged` adds up all of them.
   */
  getHotPartitions: operation<GetHotPartitionsInput, GetHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions',
    query: ['limit', 'hot'],
  }),
  /**
   * List hot partitions of all processes.
   *
   * Requests the reports of all processes in HOT_PARTITION_PEERS concurrently, for at most two seconds and with the token of this request, and adds them up. Without HOT_PARTITION_PEERS, the report has this process only.
   */
  getMergedHotPartitions: operation<GetMergedHotPartitionsInput, GetMergedHotPartitionsOutput>({
    method: 'GET',
    path: '/v1/hot-partitions/merged',
    query: ['limit', 'hot'],
  }),
  /**
   * Show the load of partition keys over time, of this process.
   *
   * What this process consumed of each partition key, by seconds or minutes: the busiest keys have rows of their own, the others are merged by kind and index. Other processes use the same keys: `/v1/hot-partitions/history/merged` adds up all of them.
   */
  getHotPartitionHistory: operation<GetHotPartitionHistoryInput, GetHotPartitionHistoryOutput>({
    method: 'GET',
    path: '/v1/hot-partitions/history',
    query: ['resolution', 'from', 'limit'],
  }),
  /**
   * Show the load of partition keys over time, of all processes.
   *
   * Requests the histories of all processes in HOT_PARTITION_PEERS concurrently, for at most two seconds and with the token of this request, and adds up their columns. Without HOT_PARTITION_PEERS, the history has this process only. The last two columns may still change, since clocks differ.
   */
  getMergedHotPartitionHistory: operation<
    GetMergedHotPartitionHistoryInput,
    GetMergedHotPartitionHistoryOutput
  >({
    method: 'GET',
    path: '/v1/hot-partitions/history/merged',
    query: ['resolution', 'from', 'limit'],
  }),
};
