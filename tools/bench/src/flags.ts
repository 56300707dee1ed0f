import { parseArgs } from 'node:util';
import { OperatorError } from '@engawa/errors';
import type { ParseArgsOptionsConfig } from 'node:util';

/**
 * Parses the options after the subject.
 * @throws OperatorError for an unknown option or another argument
 */
export function parseFlags<Flags extends ParseArgsOptionsConfig>(args: string[], options: Flags) {
  try {
    return parseArgs({ args, options, allowNegative: true }).values;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`${reason.split('. ')[0] ?? reason} (--help lists the options)`);
  }
}

export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw new OperatorError(`${flag} must be a whole number from ${min} to ${max}, not '${text}'`);
}

/** The parts that `--only`, or another flag, names, separated by commas. */
export function chooseParts<Part extends string>(
  list: string,
  closables: readonly Part[],
  flag = '--only',
): Part[] {
  return list.split(',').map((name) => {
    const part = closables.find((candidate) => candidate === name);
    if (part !== undefined) return part;
    throw new OperatorError(`${flag}: no part '${name}'; parts are ${closables.join(', ')}`);
  });
}

/** Options of Node, separated by spaces. */
export function nodeOptions(text: string): string[] {
  return text.split(' ').filter((option) => option !== '');
}
