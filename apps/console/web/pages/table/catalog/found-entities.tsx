import { formatInteger } from '../../../i18n/format.ts';
import { Button } from '../../../parts/button.tsx';
import { EmptyState } from '../../../parts/states.tsx';
import { tableTexts } from '../texts.ts';
import { catalogAddress } from './addresses.ts';
import { entityName } from './entity-name.ts';
import type { FindPage, Found } from './find.ts';

interface FoundEntitiesProps {
  type: string;
  page: FindPage;
  onNext: () => void;
}

/** Found entities; each name leads to the entity. */
export function FoundEntities({ type, page, onNext }: FoundEntitiesProps) {
  const texts = tableTexts.value.catalog;
  const { items, cursor, period } = page;
  if (items.length === 0 && cursor === undefined) {
    return (
      <EmptyState title={texts.noResults}>
        <p>{texts.noResultsAdvice}</p>
      </EmptyState>
    );
  }
  return (
    <>
      <p class="consumed" role="status">
        {texts.results(formatInteger(items.length))}
        {period !== undefined && ` · ${period}`}
      </p>
      <ul class="found">
        {items.map((found) => (
          <FoundEntity key={found.id} type={type} found={found} />
        ))}
      </ul>
      {cursor !== undefined && (
        <p class="next-page">
          <Button onClick={onNext}>{texts.next}</Button>
        </p>
      )}
    </>
  );
}

function FoundEntity({ type, found }: { type: string; found: Found }) {
  const { id, attributes, rank } = found;
  const name = entityName(id, attributes);
  const rest = Object.entries(attributes).filter(([, value]) => value !== name);
  return (
    <li>
      <a href={catalogAddress(type, id)}>{name}</a>
      <code class="muted">{id}</code>
      {rank !== undefined && <span>{tableTexts.value.catalog.rank(formatInteger(rank))}</span>}
      <span class="muted found-values">
        {rest.map(([key, value]) => `${key}: ${textOf(value)}`).join(' · ')}
      </span>
    </li>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
