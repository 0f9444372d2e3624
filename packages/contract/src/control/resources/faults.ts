import type { FAULT_METHODS } from '../values.ts';

/**
 * The part of an exchange that is lost. With `true`, the request is lost. With `response`, the request takes effect,
 * and only the response is lost.
 */
export type FaultLoss = true | 'response';

/**
 * The effect of a fault: a delay, a response status, a reset of the connection, or the loss of the request or the
 * response. Delays are in milliseconds.
 */
export interface ApiFaultEffect {
  /** The delay before any other effect of the fault, in milliseconds of real time, at most 60,000. */
  delayMs?: number | undefined;
  /** Responds with this status: 400 to 599 for the API, 200 to 599 for deliveries. */
  status?: number | undefined;
  /**
   * With `true`, the fault resets the connection and discards the request. With `response`, the request takes effect,
   * and the fault then resets the connection instead of responding.
   */
  reset?: FaultLoss | undefined;
  /**
   * With `true`, the fault discards the request, and the sender gets no response. With `response`, the request takes
   * effect, but the sender gets no response.
   */
  drop?: FaultLoss | undefined;
}

/**
 * The effect of a fault on deliveries. A fault on deliveries can have every effect of a fault on API requests. It can
 * also send a request twice, or send a request after the next request to the same endpoint.
 */
export interface DeliveryFaultEffect extends ApiFaultEffect {
  /** Sends the request twice. */
  duplicate?: true | undefined;
  /** Sends the request after the next request to the same endpoint. */
  reorder?: true | undefined;
}

/** The requests to the API that a fault applies to. All given fields must match. */
export interface ApiFaultMatch {
  /** The method. */
  method?: (typeof FAULT_METHODS)[number] | undefined;
  /** The path. `*` matches any characters, and `{name}` matches one segment. */
  path?: string | undefined;
  /** The workspace. */
  workspaceId?: string | undefined;
}

/** The attempts that a fault applies to. All given fields must match. */
export interface DeliveryFaultMatch {
  /** The endpoint. */
  endpointId?: string | undefined;
  /** The workspace. */
  workspaceId?: string | undefined;
  /** The event type, or a pattern such as `lifecycle.*`. */
  eventType?: string | undefined;
  /** The number of the attempt. The first attempt has the number 1. */
  attempt?: number | undefined;
}

/** How often a fault applies. */
export interface FaultDraws {
  /** The maximum number of times that the fault applies. Default: no limit. */
  times?: number | null | undefined;
  /** The probability that the fault applies to a matching request or attempt, above 0 and up to 1. Default: 1. */
  probability?: number | undefined;
  /**
   * The seed of the random numbers that decide whether the fault applies. With the same seed, the fault applies to the
   * same matches in every run. Default: a random number.
   */
  randomSeed?: number | undefined;
}

/** A fault to inject. */
export type FaultInput = FaultDraws &
  (
    | {
        /** What the fault applies to. `api`: requests to the API. `delivery`: attempts of deliveries. */
        target: 'api';
        /** The requests or attempts that the fault applies to. Default: all. */
        match?: ApiFaultMatch | undefined;
        /** The effect of the fault: a delay, another effect, or both. */
        effect: ApiFaultEffect;
      }
    | {
        /** What the fault applies to. `api`: requests to the API. `delivery`: attempts of deliveries. */
        target: 'delivery';
        /** The requests or attempts that the fault applies to. Default: all. */
        match?: DeliveryFaultMatch | undefined;
        /** The effect of the fault: a delay, another effect, or both. */
        effect: DeliveryFaultEffect;
      }
  );

/** A fault that was injected, with its counts. */
export interface InjectedFault {
  /** Id of the fault. */
  id: string;
  /** What the fault applies to. `api`: requests to the API. `delivery`: attempts of deliveries. */
  target: 'api' | 'delivery';
  /** The requests or attempts that the fault applies to. */
  match: ApiFaultMatch & DeliveryFaultMatch;
  /** The effect of the fault. */
  effect: DeliveryFaultEffect;
  /** The maximum number of times that the fault applies. Null means no limit. */
  times: number | null;
  /** How many more times the fault can apply. Null means no limit. */
  remaining: number | null;
  /** The probability that the fault applies to a matching request or attempt. */
  probability: number;
  /**
   * The seed of the random numbers that decide whether the fault applies. With the same seed, the fault applies to the
   * same matches in every run.
   */
  randomSeed: number;
  /**
   * The number of matching requests or attempts so far, without those to which an earlier fault in the list applied.
   */
  matched: number;
  /** The number of times that the fault has been applied. */
  struck: number;
}
