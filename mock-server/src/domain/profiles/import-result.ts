/** A line that was not imported, and why. */
export interface ImportProblem {
  /** The line of NDJSON or the item of a JSON array. Starts at 1. */
  line: number;
  message: string;
}

/** The result of an import. */
export interface ImportResult {
  /** Imported lines: created, updated or unchanged. */
  upserted: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** The first hundred rejected lines. */
  problems: ImportProblem[];
}

/** The format of an import: one profile on each line, or a JSON array of profiles. */
export type ImportFormat = 'ndjson' | 'json';
