/** A line that was not imported, and why. */
export interface ImportProblem {
  /** Counted from 1: of NDJSON the line, of a JSON array the item. */
  line: number;
  message: string;
}

/** What became of an import. */
export interface ImportResult {
  /** Lines that were imported: created, updated or unchanged. */
  upserted: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** The first hundred of those that were rejected. */
  problems: ImportProblem[];
}

/** How an import is written: one profile on each line, or a JSON array of them. */
export type ImportFormat = 'ndjson' | 'json';
