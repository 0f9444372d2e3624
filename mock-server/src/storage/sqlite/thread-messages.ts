/** A statement for the thread. */
export interface ThreadRequest {
  id: number;
  /** Over which of its connections. */
  on: 'read' | 'write';
  sql: string;
  parameters: readonly unknown[];
  /** In place of parameters, of a statement that is run for each of them. */
  rows?: readonly (readonly unknown[])[];
}

/** What the thread answers. */
export type ThreadAnswer = { id: number } & (
  | { rows: unknown[]; changes?: number }
  | { error: { message: string; code: string | undefined; errcode: number | undefined } }
);
