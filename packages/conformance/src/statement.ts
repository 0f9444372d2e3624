import type { Probe } from './probe.ts';
import type { Need } from './target.ts';

/**
 * A statement to check. It comes from the service document, or is this project's decision on a point that the document
 * leaves open.
 */
export interface Statement {
  /** The stable id of the statement, for example `lists.envelope`. */
  id: string;
  source: 'document' | 'decision';
  /** The section of the document or of `docs/silences/` that contains the statement. */
  section: string;
  text: string;
  needs: Need;
  /** Throws if the service does not follow the statement. */
  check(probe: Probe): Promise<void>;
}

export function section(source: Statement['source'], name: string) {
  const statements: Statement[] = [];
  const state = (id: string, text: string, check: Statement['check'], needs: Need = 'control') => {
    statements.push({ id, source, section: name, text, needs, check });
  };
  return { state, statements };
}
