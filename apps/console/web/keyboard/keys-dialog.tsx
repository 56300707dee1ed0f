import { shared } from '../i18n/shared.ts';
import { Dialog } from '../parts/dialog.tsx';
import { pages } from '../pages/pages.ts';
import { openDialog, pageKeys } from './keys.ts';

/** Lists all keys. */
export function KeysDialog() {
  const { keys, pages: names } = shared.value;
  const everywhere: [string[], string][] = [
    [['?'], keys.help],
    [['/'], keys.search],
    ...pages.map((page): [string[], string] => [['g', page.key], keys.goTo(names[page.name])]),
  ];
  const own = pageKeys.value.map(({ key, label }): [string[], string] => [[key], label()]);
  return (
    <Dialog title={keys.title} onClose={() => (openDialog.value = 'none')}>
      <KeyList title={keys.anywhere} rows={everywhere} />
      {own.length > 0 && <KeyList title={keys.thisPage} rows={own} />}
    </Dialog>
  );
}

function KeyList({ title, rows }: { title: string; rows: readonly [string[], string][] }) {
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
