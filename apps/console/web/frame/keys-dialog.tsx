import { shared } from '../i18n/shared.ts';
import { Dialog } from '../parts/dialog.tsx';
import { pages } from '../pages/pages.ts';
import { openDialog, pageKeys } from '../keyboard/keys.ts';
import type { PageKey } from '../keyboard/keys.ts';

/** Keys that are pressed together or in turn, and what they do. */
type KeyRow = readonly [keys: readonly string[], label: string];

/** Lists all keys. */
export function KeysDialog() {
  const { keys, pages: names } = shared.value;
  const everywhere: KeyRow[] = [
    [['?'], keys.help],
    [['/'], keys.search],
    ...pages.map((page): KeyRow => [['g', page.key], keys.goTo(names[page.name])]),
  ];
  const sections = Map.groupBy(pageKeys.value, ({ section }) => section?.() ?? keys.thisPage);
  return (
    <Dialog title={keys.title} onClose={() => (openDialog.value = 'none')}>
      <KeyList title={keys.anywhere} rows={everywhere} />
      {[...sections].map(([title, own]) => (
        <KeyList key={title} title={title} rows={own.map(rowOf)} />
      ))}
    </Dialog>
  );
}

function rowOf({ key, shown, label }: PageKey): KeyRow {
  return [shown?.() ?? [key], label()];
}

function KeyList({ title, rows }: { title: string; rows: readonly KeyRow[] }) {
  return (
    <section class="key-list">
      <h3>{title}</h3>
      <dl>
        {rows.map(([keys, label]) => (
          <div key={keys.join(' ')}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
