/** A difference between parts of the release. All three texts are sentences without a full stop. */
export interface Finding {
  /** File, relative to the repository, with its line if known. */
  where: string;
  problem: string;
  remedy: string;
}

export function describeFinding({ where, problem, remedy }: Finding): string {
  return `${where}: ${problem}; ${remedy}`;
}
