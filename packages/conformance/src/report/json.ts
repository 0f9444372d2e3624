import type { Result } from '../run.ts';
import { conforms, countsOf } from './counts.ts';

export function toJson(url: string, results: readonly Result[]): string {
  const statements = results.map(({ statement: { id, source, section, text, needs }, outcome, reason }) => ({
    id,
    source,
    section,
    text,
    needs,
    outcome,
    reason: reason ?? null,
  }));
  return `${JSON.stringify({ url, conforms: conforms(results), counts: countsOf(results), statements }, undefined, 2)}\n`;
}
