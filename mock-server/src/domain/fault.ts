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
  | { target: 'delivery'; endpointId: string; workspaceId: string; eventType: string; attempt: number };

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

/** Tries the faults in order until one applies. A matching fault applies with its own probability. */
export function pass(faults: readonly Fault[], subject: FaultSubject): { faults: Fault[]; struck: Fault | undefined } {
  let struck: Fault | undefined;
  const after = faults.map((fault) => {
    if (struck || !concerns(fault, subject)) return fault;
    const strikes = draw(fault.randomSeed, fault.matched) < fault.probability;
    const counted = { ...fault, matched: fault.matched + 1, struck: fault.struck + (strikes ? 1 : 0) };
    if (strikes) struck = counted;
    return counted;
  });
  return { faults: after, struck };
}

/** Draws a number that depends only on the seed and the index, so servers that share the index use one sequence. */
function draw(randomSeed: number, index: number): number {
  return createHash('sha256').update(`${randomSeed}:${index}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
