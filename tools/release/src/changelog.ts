/** A section of CHANGELOG.md: the changes of one version. */
export interface Section {
  /** `Unreleased`, or a version. */
  name: string;
  /** Date of the release, `2026-11-21`; `undefined` for unreleased changes. */
  date: string | undefined;
  /** Line of its heading, from 1. */
  line: number;
  changes: Change[];
}

export interface Change {
  /** One of `categories`, or the unknown heading. */
  category: string;
  /** From 1. */
  line: number;
  /** The change on one line, without Markdown links. */
  text: string;
}

/** Categories of changes, by https://keepachangelog.com/en/1.1.0. */
export const categories = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const sectionHeading = /^## \[(?<name>[^\]]+)\](?: - (?<date>\S+))?\s*$/;

/** The sections in the order of the file, the newest first. Malformed headings start no section. */
export function parseChangelog(text: string): Section[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (line.startsWith('## ') ? [index] : []));
  return starts.flatMap((start, index) => {
    const { name = '', date } = sectionHeading.exec(lines[start] ?? '')?.groups ?? {};
    if (name === '') return [];
    const body = lines.slice(start + 1, starts[index + 1]);
    const changes = parseChanges(body, start + 2);
    return [{ name, date, line: start + 1, changes }];
  });
}

/** @param first line of the body, from 1 */
function parseChanges(body: readonly string[], first: number): Change[] {
  const changes: Change[] = [];
  let category = '';
  for (const [index, line] of body.entries()) {
    const last = changes.at(-1);
    if (line.startsWith('### ')) category = line.slice(4).trim();
    else if (line.startsWith('- ')) {
      changes.push({ category, line: first + index, text: line.slice(2).trim() });
    } else if (line.startsWith('  ') && last !== undefined) last.text += ` ${line.trim()}`;
  }
  return changes.map((change) => ({ ...change, text: withoutLinks(change.text) }));
}

function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}
