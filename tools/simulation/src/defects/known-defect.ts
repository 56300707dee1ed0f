/** One replacement of text in the source of a service. */
export interface Replacement {
  /** Relative to the workspace, with `/`. */
  file: string;
  /** Stands in the file exactly once. */
  text: string;
  by: string;
}

/** A defect that was found once and is fixed, with what brings it back. */
export interface KnownDefect {
  /** For `--undo`. */
  name: string;
  /** What was wrong, and how the present code differs from the code of that time, where it does. */
  was: string;
  /** What a user sees of it. */
  noticed: string;
  replacements: readonly [Replacement, ...Replacement[]];
  /** A test that fails with the replacements, and a part of its name; undefined where no test of the workspace does. */
  guardedBy: { file: string; test: string } | undefined;
  /** What has to take place for the defect to show: devices, clients, faults, settings; and what then differs. */
  workload: string;
}
