const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

/** What little Markdown the panels use: headings, lists, tables, paragraphs; bold, code and links in them. */
export function fromMarkdown(text: string): string {
  const blocks = text.trim().split(/\n{2,}|(?<=\n```)\n/);
  return blocks.map(blockOf).join('\n');
}

function blockOf(block: string): string {
  const lines = block.split('\n');
  const [first = ''] = lines;
  const heading = /^(#+)\s+(.*)$/.exec(first);
  if (heading) {
    const [level, rest] = [heading[1]?.length ?? 1, lines.slice(1).join('\n')];
    const title = `<h${level}>${inline(heading[2] ?? '')}</h${level}>`;
    return rest === '' ? title : title + blockOf(rest);
  }
  if (first.startsWith('```')) {
    return `<pre>${escaped(
      lines
        .slice(1)
        .join('\n')
        .replace(/\n?```$/, ''),
    )}</pre>`;
  }
  if (first.startsWith('|')) return tableOf(lines);
  if (/^[-*] /.test(first)) return `<ul>${itemsOf(block, /^[-*] /m)}</ul>`;
  if (/^\d+\. /.test(first)) return `<ol>${itemsOf(block, /^\d+\. /m)}</ol>`;
  return `<p>${inline(block)}</p>`;
}

function itemsOf(block: string, mark: RegExp): string {
  const items = block.split(new RegExp(mark, 'gm')).filter((item) => item.trim() !== '');
  return items.map((item) => `<li>${inline(item)}</li>`).join('');
}

function tableOf(lines: readonly string[]): string {
  const rows = lines
    .filter((line) => !/^\|[\s:|-]+\|$/.test(line))
    .map((line) => line.replace(/^\||\|$/g, '').split('|'));
  const cells = (row: readonly string[], tag: string): string =>
    `<tr>${row.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`;
  const [head = [], ...body] = rows;
  return `<table>${cells(head, 'th')}${body.map((row) => cells(row, 'td')).join('')}</table>`;
}

function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<b>$1</b>')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '<a>$1</a>');
}
