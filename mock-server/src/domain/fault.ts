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

type Counted = Omit<InjectedFault, 'target' | 'match' | 'effect' | 'remaining'>;

export interface ApiFault extends Counted {
  target: 'api';
  match: ApiFaultMatch;
  effect: ApiFaultEffect;
}

export interface DeliveryFault extends Counted {
  target: 'delivery';
  match: DeliveryFaultMatch;
  effect: DeliveryFaultEffect;
}

export type Fault = ApiFault | DeliveryFault;

export type FaultSubject =
  | { target: 'api'; method: string; path: string; workspaceId: string | undefined }
  | { target: 'delivery'; endpointId: string; workspaceId: string; eventType: string; attempt: number };

export function concerns(fault: Fault, subject: FaultSubject): boolean {
  if (isUsedUp(fault)) return false;
  if (fault.target === 'api' && subject.target === 'api') {
    const { method, path, workspaceId } = fault.match;
    return (
      (method === undefined || method.toUpperCase() === subject.method) &&
      (path === undefined || matchesPathPattern(path, subject.path)) &&
      (workspaceId === undefined || workspaceId === subject.workspaceId)
    );
  }
  if (fault.target === 'delivery' && subject.target === 'delivery') {
    const { endpointId, workspaceId, eventType, attempt } = fault.match;
    return (
      (endpointId === undefined || endpointId === subject.endpointId) &&
      (workspaceId === undefined || workspaceId === subject.workspaceId) &&
      (eventType === undefined || matchesEventPattern(eventType, subject.eventType)) &&
      (attempt === undefined || attempt === subject.attempt)
    );
  }
  return false;
}

export const isUsedUp = ({ times, struck }: Fault): boolean => times !== null && struck >= times;

/** Tries the faults in order until one strikes. A matching fault strikes with the probability that was set for it. */
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

/** Depends only on the seed and the index, so servers that share the index share one sequence of numbers. */
function draw(randomSeed: number, index: number): number {
  return createHash('sha256').update(`${randomSeed}:${index}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
