import { tableTexts } from '../texts.ts';
import { catalogAddress } from './addresses.ts';
import { FindEntities } from './find-entities.tsx';
import { RelationGraph } from './relation-graph.tsx';
import type { Neighbour } from './relation-graph.tsx';
import type { EntityType } from './find-form.ts';

interface TypeViewProps {
  type: EntityType;
  types: readonly EntityType[];
}

/** A type: how it is related to other types, its attributes, and a form to find its entities. */
export function TypeView({ type, types }: TypeViewProps) {
  const texts = tableTexts.value.catalog;
  const { name, attributes } = type;
  const label = texts.typeGraph(name);
  return (
    <>
      <section class="card">
        <h2>{label}</h2>
        <RelationGraph
          label={label}
          centre={name}
          detail={`${texts.version} ${type.version}`}
          {...neighboursOf(type, types)}
        />
        <h3>{texts.attributes}</h3>
        {attributes.length === 0 ? (
          <p class="muted">{texts.noAttributes}</p>
        ) : (
          <dl class="attributes">
            {attributes.map((attribute) => (
              <div key={attribute.name}>
                <dt>{attribute.name}</dt>
                <dd>{describeAttribute(attribute)}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      <FindEntities type={type} />
    </>
  );
}

function describeAttribute(attribute: EntityType['attributes'][number]): string {
  const { flags } = tableTexts.value.catalog;
  const { kind, required, unique, automatic, of } = attribute;
  return [
    of === undefined ? kind : `${kind} (${flags.of}: ${of})`,
    ...(required ? [flags.required] : []),
    ...(unique === true ? [flags.unique] : []),
    ...(automatic === undefined ? [] : [`${flags.automatic}: ${automatic}`]),
  ].join(', ');
}

function neighboursOf(type: EntityType, types: readonly EntityType[]) {
  const neighbour = (to: string, relation: string, many: boolean): Neighbour => ({
    ...{ href: catalogAddress(to), name: to, relation },
    detail: many ? 'n' : '1',
  });
  const outgoing = type.relations.map(({ name, to, many }) => neighbour(to, name, many));
  const incoming = types.flatMap((other) =>
    other.relations
      .filter(({ to }) => to === type.name)
      .map(({ name, many }) => ({ ...neighbour(other.name, name, many), detail: '' })),
  );
  return { incoming, outgoing };
}
