import type { Probe } from './probe.ts';

/** One statement of the service's document, or one decision of this project where the document is silent, and what proves it. */
export interface Statement {
  /** Stable, for example `lists.envelope`. */
  id: string;
  source: 'document' | 'decision';
  /** The section of the document, or of `docs/silences/`. */
  section: string;
  text: string;
  /** Throws where the service at hand does otherwise. Absent where there is no test yet; the matrix says so. */
  check?: ((probe: Probe) => Promise<void>) | undefined;
}

/** Makes the statements of one section. */
export function section(source: Statement['source'], name: string) {
  const statements: Statement[] = [];
  const state = (id: string, text: string, check?: Statement['check']) => {
    statements.push({ id, source, section: name, text, check });
  };
  return { state, statements };
}
