import { useLayoutEffect } from 'preact/hooks';
import { shared } from '../../i18n/shared.ts';
import { registerKeys } from '../../keyboard/keys.ts';
import { Choice } from '../../parts/choice.tsx';
import { PageFrame } from '../../parts/page-frame.tsx';
import { currentQuery, setQuery } from '../../router/router.ts';
import { CatalogView } from './catalog/catalog-view.tsx';
import { FamiliesView } from './families/families-view.tsx';
import { ItemsView } from './items/items-view.tsx';
import { tableTexts } from './texts.ts';
import '../../parts/data.css';
import './table.css';
import './catalog/catalog.css';
import './items/items.css';

const views = ['families', 'items', 'catalog'] as const;

const pageKeys = views.map((view, at) => ({
  key: String(at + 1),
  label: () => tableTexts.value.keys[view],
  run: () => setQuery({ view }),
}));

/** The one table: its key families, the items of a partition, and the entities of the catalog. Reads only. */
export function TablePage() {
  const given = currentQuery.value.get('view');
  const view = views.find((one) => one === given) ?? 'families';
  useLayoutEffect(() => registerKeys(pageKeys), []);
  const { view: label, views: names } = tableTexts.value;
  return (
    <PageFrame title={shared.value.pages.table}>
      <div class="choice-bar">
        <Choice label={label} name="view" names={names} value={view} />
      </div>
      {view === 'families' && <FamiliesView />}
      {view === 'items' && <ItemsView />}
      {view === 'catalog' && <CatalogView />}
    </PageFrame>
  );
}
