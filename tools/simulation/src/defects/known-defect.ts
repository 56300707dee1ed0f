/** One replacement of text in the source of a service. */
export interface Replacement {
  /** Relative to the workspace, with `/`. */
  file: string;
  /** Occurs in the file exactly once. */
  text: string;
  by: string;
}

/** A fixed defect, with the replacements that reintroduce it. */
export interface KnownDefect {
  /** Argument of `--undo`. */
  name: string;
  /** The defect, and relevant differences between the current code and the code that had the defect. */
  was: string;
  /** The defect's effect on users. */
  noticed: string;
  replacements: readonly [Replacement, ...Replacement[]];
  /** A test that fails with the replacements, and a part of the test's name; undefined if the workspace has none. */
  guardedBy: { file: string; test: string } | undefined;
  /** The conditions under which the defect shows (devices, clients, faults, settings), and its visible effect. */
  workload: string;
}
