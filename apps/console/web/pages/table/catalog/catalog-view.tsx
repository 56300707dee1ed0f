import { useEffect } from 'preact/hooks';
import { api } from '../../../api/client.ts';
import { allPages, loader } from '../../../api/load.ts';
import { EmptyState, ErrorState, LoadingState } from '../../../parts/states.tsx';
import { currentQuery } from '../../../router/router.ts';
import { tableTexts } from '../texts.ts';
import { catalogAddress } from './addresses.ts';
import { EntityView } from './entity-view.tsx';
import { TypeView } from './type-view.tsx';
import type { EntityType } from './find-form.ts';

const types = loader((signal) =>
  allPages((cursor) => api.catalog.listTypes({ cursor }, { signal })),
);

/** The types, and the chosen type or entity with its relations. */
export function CatalogView() {
  useEffect(() => void types.reload(), []);
  const state = types.state.value;
  if (state.kind === 'failed') {
    return <ErrorState error={state.error} onRetry={() => void types.reload()} />;
  }
  if (state.kind === 'loading') return <LoadingState />;
  return state.data.length === 0 ? <NoTypes /> : <Catalog types={state.data} />;
}

function NoTypes() {
  const { empty, emptyAdvice } = tableTexts.value.catalog;
  return (
    <EmptyState title={empty}>
      <p>{emptyAdvice}</p>
      <pre tabIndex={0}>npm run catalog:load music</pre>
    </EmptyState>
  );
}

function Catalog({ types: all }: { types: readonly EntityType[] }) {
  const query = currentQuery.value;
  const [first] = all;
  const type = all.find(({ name }) => name === query.get('type')) ?? first;
  const id = query.get('id');
  return (
    <div class="catalog">
      <TypeList types={all} current={type?.name} />
      <div class="catalog-content">
        {type !== undefined && id === null && <TypeView key={type.name} type={type} types={all} />}
        {type !== undefined && id !== null && (
          <EntityView key={`${type.name}\n${id}`} type={type} id={id} />
        )}
      </div>
    </div>
  );
}

interface TypeListProps {
  types: readonly EntityType[];
  current: string | undefined;
}

function TypeList({ types: all, current }: TypeListProps) {
  const { types: title } = tableTexts.value.catalog;
  return (
    <nav class="type-list" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {all.map(({ name }) => (
          <li key={name}>
            <a href={catalogAddress(name)} aria-current={name === current ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
