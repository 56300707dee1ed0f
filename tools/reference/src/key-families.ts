import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFamilies } from '@engawa/keys';
import type { KeyFamily } from '@engawa/keys';

const file = join(import.meta.dirname, '../../../docs/reference/table.md');
const begin = '<!-- generated from libs/keys/src/families: npm run reference -->';
const end = '<!-- end of generated -->';

/**
 * docs/reference/table.md with the key families of today; the rest of the page is written by hand.
 * @throws Error when the page lacks the section
 */
export function tablePage(): string {
  const page = readFileSync(file, 'utf8');
  const [start, stop] = [page.indexOf(begin), page.indexOf(end)];
  if (start === -1 || stop < start) throw new Error(`no lines "${begin}" and "${end}"`);
  const ofItems = tableFamilies.filter(({ index }) => index === 'table');
  const ofIndexes = tableFamilies.filter(({ index }) => index !== 'table');
  const section = [
    tableOf(['kind', 'pk', 'sk', 'item', 'written by'], ofItems.map(rowOfItem)),
    tableOf(
      ['index', 'partition key', 'sort key', 'kinds', 'list', 'written by'],
      ofIndexes.map(rowOfIndex),
    ),
  ].join('\n');
  return `${page.slice(0, start)}${begin}\n\n${section}\n${page.slice(stop)}`;
}

function rowOfItem({ pk, sk, kinds, meaning, writtenBy }: KeyFamily): string[] {
  return [kinds.join(', '), code(pk), code(sk), meaning, writtenBy.join(', ')];
}

function rowOfIndex({ index, pk, sk, kinds, meaning, writtenBy }: KeyFamily): string[] {
  return [index, code(pk), code(sk), kinds.join(', '), meaning, writtenBy.join(', ')];
}

function tableOf(header: string[], rows: string[][]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function code(text: string): string {
  return `\`${text}\``;
}
