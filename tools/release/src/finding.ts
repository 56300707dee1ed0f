/** Something that does not agree with the rest. All three texts are sentences without a full stop. */
export interface Finding {
  /** File, from the folder of the repository, with its line where one is known. */
  where: string;
  problem: string;
  remedy: string;
}

export function describeFinding({ where, problem, remedy }: Finding): string {
  return `${where}: ${problem}; ${remedy}`;
}
