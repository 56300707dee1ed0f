/** A section of CHANGELOG.md: what changed in one version. */
export interface Section {
  /** `Unreleased`, or a version. */
  name: string;
  /** Of the release, `2026-11-21`; `undefined` of what is unreleased. */
  date: string | undefined;
  /** Of its heading, from 1. */
  line: number;
  /** Below the heading, without empty lines around. */
  text: string;
  changes: Change[];
}

export interface Change {
  /** One of `categories`, or what stands there in its place. */
  category: string;
  /** From 1. */
  line: number;
  /** As one line of text, without Markdown links. */
  text: string;
}

/** Of changes, by https://keepachangelog.com/en/1.1.0. */
export const categories = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

const sectionHeading = /^## \[(?<name>[^\]]+)\](?: - (?<date>\S+))?\s*$/;

/** The sections, the newest first, as they stand there. What does not look like a section is no section. */
export function parseChangelog(text: string): Section[] {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (line.startsWith('## ') ? [index] : []));
  return starts.flatMap((start, index) => {
    const { name = '', date } = sectionHeading.exec(lines[start] ?? '')?.groups ?? {};
    if (name === '') return [];
    const body = lines.slice(start + 1, starts[index + 1]);
    const changes = parseChanges(body, start + 2);
    return [{ name, date, line: start + 1, text: body.join('\n').trim(), changes }];
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
