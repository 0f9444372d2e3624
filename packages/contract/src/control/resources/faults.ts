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
  /** Cuts the connection: instead of the request (`true`), or instead of the response, after the request took effect (`answer`). */
  reset?: FaultLoss | undefined;
  /** Loses the request (`true`), or only the response, after the request took effect (`answer`). */
  drop?: FaultLoss | undefined;
}

/** What a fault does to deliveries. It can also send one twice, or after the next one. */
export interface DeliveryFaultEffect extends ApiFaultEffect {
  /** Sends the request twice. */
  duplicate?: true | undefined;
  /** Sends the request after another one to the same endpoint. */
  reorder?: true | undefined;
}

/** Which requests to the API a fault strikes. All given fields must match. */
export interface ApiFaultMatch {
  /** The method. */
  method?: (typeof FAULT_METHODS)[number] | undefined;
  /** The path. `*` matches any characters, and `{name}` matches one segment. */
  path?: string | undefined;
  /** The workspace. */
  workspaceId?: string | undefined;
}

/** Which attempts a fault strikes. All given fields must match. */
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

/** How often a fault strikes. */
export interface FaultDraws {
  /** The maximum number of strikes. Default: no limit. */
  times?: number | null | undefined;
  /** The probability that it strikes a match, above 0 and up to 1. Default: 1. */
  probability?: number | undefined;
  /** The same number gives the same strikes in every run. Default: drawn. */
  randomSeed?: number | undefined;
}

/** A fault to inject. */
export type FaultInput = FaultDraws &
  (
    | {
        /** What it strikes. */
        target: 'api';
        /** Which messages it strikes. Default: all. */
        match?: ApiFaultMatch | undefined;
        /** What it does: one effect, with a delay or without, or only a delay. */
        effect: ApiFaultEffect;
      }
    | {
        /** What it strikes. */
        target: 'delivery';
        /** Which messages it strikes. Default: all. */
        match?: DeliveryFaultMatch | undefined;
        /** What it does: one effect, with a delay or without, or only a delay. */
        effect: DeliveryFaultEffect;
      }
  );

/** An active fault, with its counts. */
export interface InjectedFault {
  /** Id of the fault. */
  id: string;
  /** What it strikes. */
  target: 'api' | 'delivery';
  /** Which messages it strikes. */
  match: ApiFaultMatch & DeliveryFaultMatch;
  /** What it does. */
  effect: DeliveryFaultEffect;
  /** The maximum number of strikes. Null means no limit. */
  times: number | null;
  /** Strikes left. Null means no limit. */
  remaining: number | null;
  /** The probability that it strikes a match. */
  probability: number;
  /** The same number gives the same strikes in every run. */
  randomSeed: number;
  /** Matches so far. */
  matched: number;
  /** Strikes so far. */
  struck: number;
}
