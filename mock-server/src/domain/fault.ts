import { createHash } from 'node:crypto';
import { matchesEventPattern } from '@svc/contract';
import { matchesPathPattern } from './path-pattern.ts';

/** A fault to be injected: into answers of the API, or into deliveries. */
export type Fault = ApiFault | DeliveryFault;

interface FaultBase {
  /** `flt_…` */
  id: string;
  /** How often it strikes at most; null for without end. */
  times: number | null;
  /** How likely each match is struck, above 0 up to 1. */
  probability: number;
  /** The same seed strikes the same of its matches, counted from the first. */
  randomSeed: number;
  /** Matches seen so far. */
  matched: number;
  /** How often it has struck so far. */
  struck: number;
}

export interface ApiFault extends FaultBase {
  target: 'api';
  /** Whatever is named must fit. `path` may hold `*` for any characters and `{name}` for one segment. */
  match: { method?: string; path?: string; workspaceId?: string };
  effect: ApiEffect;
}

export interface DeliveryFault extends FaultBase {
  target: 'delivery';
  /** Whatever is named must fit. `eventType` may be a glob, as in subscriptions; `attempt` is 1 for the first. */
  match: { endpointId?: string; workspaceId?: string; eventType?: string; attempt?: number };
  effect: DeliveryEffect;
}

/** Whether a message is lost on its way there (`true`), or was acted on, and its answer is lost. */
export type Loss = true | 'answer';

/** What happens to a request to the API. A delay comes first. */
export interface ApiEffect {
  delayMs?: number;
  /** The answer, instead of the operation's. */
  status?: number;
  /** The connection is cut. */
  reset?: Loss;
  /** Nothing is answered. */
  drop?: Loss;
}

/** What happens to an attempt. A delay comes first. */
export interface DeliveryEffect extends ApiEffect {
  /** The request goes out twice. */
  duplicate?: true;
  /** The request waits until another of the same endpoint has gone. */
  reorder?: true;
}

/** What a fault may strike. */
export type FaultSubject =
  | { target: 'api'; method: string; path: string; workspaceId: string | undefined }
  | { target: 'delivery'; endpointId: string; workspaceId: string; eventType: string; attempt: number };

/** Whether a fault that can still strike is about this subject. */
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

/** What faults come to when a subject passes them. */
export interface Passing {
  /** All faults, their counts as they are now. */
  faults: Fault[];
  /** The one that strikes. */
  struck: Fault | undefined;
}

/** Lets a subject pass the faults in their order: the first that is about it and whose draw falls so strikes, and the rest do not see it. */
export function pass(faults: readonly Fault[], subject: FaultSubject): Passing {
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

/** The `index`-th number of a seed's row, from 0 up to but not including 1. It needs no state beside the index, so servers can share the row. */
function draw(randomSeed: number, index: number): number {
  return createHash('sha256').update(`${randomSeed}:${index}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
