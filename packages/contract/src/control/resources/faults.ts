import type { FAULT_METHODS } from '../values.ts';

/** What is lost: the request itself (`true`), or only the response, after the request took effect (`answer`). */
export type FaultLoss = true | 'answer';

/**
 * What a fault does: wait, respond with a status, reset the connection, or drop the message. Delays are in milliseconds.
 */
export interface ApiFaultEffect {
  /** Waits first, in milliseconds of real time, at most 60,000. */
  delayMs?: number | undefined;
  /** Responds with this status: 400 to 599 for the API, 200 to 599 for deliveries. */
  status?: number | undefined;
  /** Resets the connection: instead of the request (`true`), or instead of the response, after the request took effect (`answer`). */
  reset?: FaultLoss | undefined;
  /** Loses the request (`true`), or only the response, after the request took effect (`answer`). */
  drop?: FaultLoss | undefined;
}

/** What a fault does to deliveries. It can also send a delivery twice, or after the next one. */
export interface DeliveryFaultEffect extends ApiFaultEffect {
  /** Sends the request twice. */
  duplicate?: true | undefined;
  /** Sends the request after another one to the same endpoint. */
  reorder?: true | undefined;
}

/** Which requests to the API a fault applies to. All given fields must match. */
export interface ApiFaultMatch {
  /** The method. */
  method?: (typeof FAULT_METHODS)[number] | undefined;
  /** The path. `*` matches any characters, and `{name}` matches one segment. */
  path?: string | undefined;
  /** The workspace. */
  workspaceId?: string | undefined;
}

/** Which attempts a fault applies to. All given fields must match. */
export interface DeliveryFaultMatch {
  /** The endpoint. */
  endpointId?: string | undefined;
  /** The workspace. */
  workspaceId?: string | undefined;
  /** The event type, or a pattern such as `lifecycle.*`. */
  eventType?: string | undefined;
  /** The number of the attempt. Starts at 1. */
  attempt?: number | undefined;
}

/** How often a fault applies. */
export interface FaultDraws {
  /** The maximum number of times that the fault applies. Default: no limit. */
  times?: number | null | undefined;
  /** The probability that the fault applies to a match, above 0 and up to 1. Default: 1. */
  probability?: number | undefined;
  /** With the same number, the fault applies to the same matches in every run. Default: a random number. */
  randomSeed?: number | undefined;
}

/** A fault to inject. */
export type FaultInput = FaultDraws &
  (
    | {
        /** What the fault applies to. */
        target: 'api';
        /** Which messages the fault applies to. Default: all. */
        match?: ApiFaultMatch | undefined;
        /** What it does: one effect, with a delay or without, or only a delay. */
        effect: ApiFaultEffect;
      }
    | {
        /** What the fault applies to. */
        target: 'delivery';
        /** Which messages the fault applies to. Default: all. */
        match?: DeliveryFaultMatch | undefined;
        /** What it does: one effect, with a delay or without, or only a delay. */
        effect: DeliveryFaultEffect;
      }
  );

/** An active fault, with its counts. */
export interface InjectedFault {
  /** Id of the fault. */
  id: string;
  /** What the fault applies to. */
  target: 'api' | 'delivery';
  /** Which messages the fault applies to. */
  match: ApiFaultMatch & DeliveryFaultMatch;
  /** What it does. */
  effect: DeliveryFaultEffect;
  /** The maximum number of times that the fault applies. Null means no limit. */
  times: number | null;
  /** How often the fault can still apply. Null means no limit. */
  remaining: number | null;
  /** The probability that the fault applies to a match. */
  probability: number;
  /** With the same number, the fault applies to the same matches in every run. */
  randomSeed: number;
  /** Matches so far. */
  matched: number;
  /** How often the fault has applied. */
  struck: number;
}
