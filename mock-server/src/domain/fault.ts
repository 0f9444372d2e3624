import { createHash } from 'node:crypto';
import { matchesEventPattern } from '@svc/contract';
import type {
  ApiFaultEffect,
  ApiFaultMatch,
  DeliveryFaultEffect,
  DeliveryFaultMatch,
  InjectedFault,
} from '@svc/contract/control/resources';
import { matchesPathPattern } from './path-pattern.ts';

interface FaultOn<Target, Match, Effect> extends Omit<InjectedFault, 'target' | 'match' | 'effect' | 'remaining'> {
  target: Target;
  match: Match;
  effect: Effect;
}

export type ApiFault = FaultOn<'api', ApiFaultMatch, ApiFaultEffect>;
export type DeliveryFault = FaultOn<'delivery', DeliveryFaultMatch, DeliveryFaultEffect>;

export type Fault = ApiFault | DeliveryFault;

export type FaultSubject =
  | { target: 'api'; method: string; path: string; workspaceId: string | undefined }
  | { target: 'delivery'; id: string; endpointId: string; workspaceId: string; eventType: string; attempt: number };

/** How to compare these fields of a match with the fields of a subject. All other fields must be equal. */
const COMPARED: Readonly<Record<string, (wanted: string, actual: string) => boolean>> = {
  method: (wanted, actual) => wanted.toUpperCase() === actual,
  path: matchesPathPattern,
  eventType: matchesEventPattern,
};

export function concerns(fault: Fault, subject: FaultSubject): boolean {
  const fields = new Map<string, unknown>(Object.entries(subject));
  const fits = ([name, wanted]: [string, unknown]) => {
    const actual = fields.get(name);
    return wanted === undefined || (COMPARED[name]?.(String(wanted), String(actual)) ?? wanted === actual);
  };
  return !isUsedUp(fault) && fault.target === subject.target && Object.entries(fault.match).every(fits);
}

export const isUsedUp = ({ times, struck }: Fault): boolean => times !== null && struck >= times;

/**
 * Tries the faults in order until one strikes. A matching fault strikes with its own probability.
 *
 * @param drawKey - What the draw depends on, besides the fault's seed and id. Default: the number of earlier matches.
 */
export function pass(faults: readonly Fault[], subject: FaultSubject, drawKey?: string) {
  let struck: Fault | undefined;
  const after = faults.map((fault) => {
    if (struck || !concerns(fault, subject)) return fault;
    // Faults with the same seed must not all make the same choice for an attempt.
    const strikes = draw(fault.randomSeed, drawKey ? `${fault.id}:${drawKey}` : fault.matched) < fault.probability;
    const counted = { ...fault, matched: fault.matched + 1, struck: fault.struck + (strikes ? 1 : 0) };
    if (strikes) struck = counted;
    return counted;
  });
  return { faults: after, struck };
}

/** Draws a number that depends only on the seed and the key, so servers that share an index share one sequence. */
function draw(randomSeed: number, key: number | string): number {
  return createHash('sha256').update(`${randomSeed}:${key}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
