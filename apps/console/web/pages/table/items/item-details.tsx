import { formatInteger } from '../../../i18n/format.ts';
import { tableTexts } from '../texts.ts';
import { Decoded } from './decoded.tsx';
import { itemsAddress } from './items-request.ts';
import { rawText } from './raw-text.ts';
import type { ItemsForm, TableItem } from './items-request.ts';

interface ItemDetailsProps {
  item: TableItem;
  /** The index that was read. */
  index: ItemsForm['index'];
  isOpen: boolean;
}

/** An item: its sort key, kind and size, and when open its decoded content beside the raw attributes. */
export function ItemDetails({ item, index, isOpen }: ItemDetailsProps) {
  const texts = tableTexts.value.items;
  const { key, kind, bytes, attributes } = item;
  const sortKey = index === 'table' ? key.sk : (key[`${index}sk`] ?? key.sk);
  return (
    <details class="item" open={isOpen}>
      <summary>
        <span class="key-text item-key">{sortKey}</span>
        <span class="badge">{kind}</span>
        <span class="muted item-bytes">{texts.bytes(formatInteger(bytes))}</span>
      </summary>
      <ItemLinks item={item} index={index} />
      <div class="item-content">
        <section>
          <h3>{texts.decoded}</h3>
          <Decoded decoded={item.decoded} />
        </section>
        <section>
          <h3>{texts.raw}</h3>
          <pre class="json" tabIndex={0}>
            {rawText(attributes)}
          </pre>
        </section>
      </div>
    </details>
  );
}

/** Ways from an item: to its other partitions, its entity or its device. */
function ItemLinks({ item, index }: Pick<ItemDetailsProps, 'item' | 'index'>) {
  const texts = tableTexts.value.items;
  const { key, decoded } = item;
  const links: { href: string; text: string }[] = [];
  if (index !== 'table') {
    links.push({ href: itemsAddress({ pk: key.pk, sk: key.sk }), text: texts.openItem });
  }
  for (const other of ['gsi1', 'gsi2'] as const) {
    const pk = key[`${other}pk`];
    if (other === index || pk === undefined) continue;
    links.push({ href: itemsAddress({ index: other, pk }), text: texts.inIndex(other) });
  }
  const { type, id, device } = decoded.key ?? {};
  if (typeof type === 'string' && typeof id === 'string') {
    const query = new URLSearchParams({ view: 'catalog', type, id });
    links.push({ href: `/table?${query.toString()}`, text: texts.openEntity });
  }
  if (typeof device === 'string') {
    links.push({ href: `/explore?device=${encodeURIComponent(device)}`, text: texts.openDevice });
  }
  if (links.length === 0) return null;
  return (
    <p class="item-links">
      {links.map(({ href, text }) => (
        <a key={href} href={href}>
          {text}
        </a>
      ))}
    </p>
  );
}
