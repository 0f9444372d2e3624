import type { Probe } from './probe.ts';
import type { Need } from './target.ts';

/** A statement of the service document, or this project's decision on a point that the document leaves open. */
export interface Statement {
  /** The id, for example `lists.envelope`. An id never changes. */
  id: string;
  source: 'document' | 'decision';
  /** The section that contains the statement, in the service document or in `docs/silences/`. */
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
