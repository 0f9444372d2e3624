import { ID_PREFIXES, type Id, type IdKind } from '@svc/contract';
import type { Ids } from '../src/runtime/ids.ts';

/** Creates ids that count up across all nodes of a run, so that a trace is easy to read. */
export function createCountingIds(): Ids {
  let count = 0;
  const draw = () => String(++count).padStart(26, '0');
  return {
    next: <Kind extends IdKind>(kind: Kind) => `${ID_PREFIXES[kind]}${draw()}` as Id<Kind>,
    nextBare: draw,
    nextAttempt: draw,
    restart() {},
    riseAbove() {},
    leadMs: () => 0,
  };
}
