import { useEffect, useState } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { loader } from '../../../api/load.ts';
import { formatDateTime, formatInteger } from '../../../i18n/format.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorState, LoadingState } from '../../../parts/states.tsx';
import { itemsAddress } from '../items/items-request.ts';
import { tableTexts } from '../texts.ts';
import { catalogAddress, entityPartition } from './addresses.ts';
import { entityName } from './entity-name.ts';
import { RelationGraph } from './relation-graph.tsx';
import type { catalog } from '@engawa/client';
import type { Neighbour } from './relation-graph.tsx';
import type { EntityType } from './find-form.ts';

type Related = catalog.ListAllRelatedOutput;

/** Neighbours of a page of the graph. */
const pageSize = 12;

async function loadEntity(type: string, id: string, signal: AbortSignal) {
  // Relations to many are in the graph, page by page.
  const [{ body: entity }, { body: related }] = await Promise.all([
    api.catalog.getEntity({ type, id, limit: 1 }, { signal }),
    api.catalog.listAllRelated({ type, id, whole: true, limit: pageSize }, { signal }),
  ]);
  return { entity, related };
}

/** An entity with its attributes, and its relations as a graph to walk. */
export function EntityView({ type, id }: { type: EntityType; id: string }) {
  const [loading] = useState(() => loader((signal) => loadEntity(type.name, id, signal)));
  useEffect(() => void loading.reload(), [loading]);
  const state = loading.state.value;
  if (state.kind === 'failed') {
    return <ErrorState error={state.error} onRetry={() => void loading.reload()} />;
  }
  if (state.kind === 'loading') return <LoadingState />;
  return <Entity entity={state.data.entity} related={state.data.related} />;
}

interface EntityProps {
  entity: catalog.GetEntityOutput;
  related: Related;
}

function Entity({ entity, related }: EntityProps) {
  const texts = tableTexts.value.catalog;
  const { type, id, attributes } = entity;
  const name = entityName(id, attributes);
  const [pages, setPages] = useState(related);
  const [error, setError] = useState<unknown>();
  const more = async (cursor: string): Promise<void> => {
    try {
      const input = { type, id, whole: true, limit: pageSize, cursor };
      const { body } = await api.catalog.listAllRelated(input);
      setPages({ ...body, items: [...pages.items, ...body.items] });
    } catch (failure) {
      setError(failure);
    }
  };
  const { cursor } = pages;
  const label = texts.entityGraph(name);
  return (
    <section class="card">
      <h2>{label}</h2>
      <p class="item-links">
        <a href={catalogAddress(type)}>{texts.backToType(type)}</a>
        <a href={itemsAddress({ pk: entityPartition(type, id) })}>{texts.items}</a>
      </p>
      <RelationGraph
        label={label}
        centre={name}
        detail={`${type} ${id}`}
        {...neighboursOf(pages)}
      />
      {error !== undefined && <ErrorState error={error} />}
      {cursor !== undefined && (
        <p>
          <Button onClick={() => void more(cursor)}>{texts.moreRelated}</Button>
        </p>
      )}
      <h3>{texts.attributes}</h3>
      <Attributes entity={entity} />
    </section>
  );
}

function Attributes({ entity }: { entity: catalog.GetEntityOutput }) {
  const texts = tableTexts.value.catalog;
  const { attributes, createdAt, updatedAt, version } = entity;
  const rows: [string, string][] = [
    ...Object.entries(attributes).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
    [texts.created, formatDateTime(new Date(createdAt))],
    [texts.changed, formatDateTime(new Date(updatedAt))],
    [texts.version, formatInteger(version)],
  ];
  return (
    <dl class="attributes">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function neighboursOf({ items }: Related) {
  const side = (wanted: 'forward' | 'backward'): Neighbour[] =>
    items
      .filter(({ direction }) => direction === wanted)
      .map(({ type, id, relations, entity }) => ({
        href: catalogAddress(type, id),
        name: entityName(id, entity?.attributes),
        detail: type,
        relation: relations.join(', '),
      }));
  return { incoming: side('backward'), outgoing: side('forward') };
}
