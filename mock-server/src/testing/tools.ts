import { randomUUID } from 'node:crypto';
import type { EventSubject, EventType, Open, WebhookEndpointSubject } from '@svc/contract';
import type {
  ClockChanged,
  ControlCredential,
  ControlRequest,
  FaultInput,
  InjectedFault,
  RequestFilters,
  SeenDelivery,
  Settled,
  TriggeredEvent,
} from '@svc/contract/control/resources';
import { checkOptionNames } from '../config/config.ts';
import type { ControlClient } from '../control-client/client.ts';
import { createTenant, type Tenant, type TenantOptions } from './tenant.ts';
import { type WaitForDeliveryOptions, waitForDelivery, waitForIdle } from './waits.ts';

/** The functions that a mock service offers to tests, whether the service listens on a socket or runs inside MSW. */
export interface MockServiceTools {
  /** Creates a workspace in a separate organization. Tests with separate workspaces never see each other's data. */
  workspace(options?: TenantOptions): Promise<Tenant>;
  /** Triggers an event, as if something had happened in the service. */
  trigger<Type extends Open<EventType>>(type: Type, options: TriggerOptions<Type>): Promise<TriggeredEvent>;
  /**
   * Waits until every selected delivery has the requested status.
   *
   * @throws WaitError if the wait times out. The message describes the state of the deliveries, and what happens next.
   */
  waitForDelivery(options: WaitForDeliveryOptions): Promise<SeenDelivery[]>;
  /** Waits until no work is due or in flight. @throws WaitError if the wait times out. */
  waitForIdle(options?: { timeoutMs?: number }): Promise<Settled>;
  /**
   * The latest 1,000 requests to the API, newest first. `ignored: true` selects only the requests with unknown fields
   * or parameters, which the API ignored.
   */
  requests(filters?: RequestFilters): Promise<ControlRequest[]>;
  readonly clock: TestClock;
  readonly faults: TestFaults;
  /** Wipes all data and applies a seed. Without `seed`, applies the seed that the service started with. */
  reset(seed?: object): Promise<ControlCredential[]>;
  /** Saves all data, including the clock and the faults. `restore()` returns to this state, as often as you like. */
  snapshot(): Promise<TestSnapshot>;
  /** A typed client for the whole control API. */
  readonly control: ControlClient;
}

/**
 * The workspace of an event, and the event's subject. `webhook.endpoint.auto_disabled` needs an endpoint as its
 * subject. The default subject of `lifecycle.evaluated` is the workspace. `webhook.ping` has no subject.
 */
export type TriggerOptions<Type extends string = string> = {
  workspaceId: string;
} & (Type extends 'webhook.endpoint.auto_disabled'
  ? { subject: WebhookEndpointSubject }
  : { subject?: EventSubject | undefined });

/** A saved state of all data. */
export interface TestSnapshot {
  restore(): Promise<void>;
}

/** Faults that the service injects into its responses and deliveries. */
export interface TestFaults {
  add(fault: FaultInput): Promise<InjectedFault>;
  list(): Promise<InjectedFault[]>;
  clear(): Promise<void>;
}

export function createTools(control: ControlClient): MockServiceTools {
  return {
    control,
    workspace: (options) => createTenant(control, options),
    trigger: async (type, options) => {
      checkOptionNames(options, ['workspaceId', 'subject']);
      return await control.createEvent({ ...options, type });
    },
    waitForDelivery: (options) => waitForDelivery(control, options),
    waitForIdle: (options) => waitForIdle(control, options),
    requests: (filters) => listRequests(control, filters),
    clock: {
      now: async () => new Date((await control.readClock()).now),
      advance: (duration) => control.changeClock({ advance: duration }),
      set: (instant) => control.changeClock({ set: typeof instant === 'string' ? instant : instant.toISOString() }),
      freeze: () => control.changeClock({ freeze: true }),
      reset: () => control.changeClock({ reset: true }),
    },
    faults: {
      add: async (fault) => (await control.createFault(fault)).fault,
      list: async () => (await control.listFaults()).faults,
      clear: async () => void (await control.clearFaults()),
    },
    snapshot: async () => {
      const name = `test-${randomUUID()}`;
      await control.saveSnapshot({ name });
      return { restore: async () => void (await control.restoreSnapshot({ name })) };
    },
    reset: async (seed) => (await control.reset(seed === undefined ? {} : { seed })).credentials,
  };
}

const PAGE_SIZE = 100;

async function listRequests(control: ControlClient, filters: RequestFilters = {}): Promise<ControlRequest[]> {
  const requests: ControlRequest[] = [];
  let page: string | undefined;
  do {
    const { data, nextPageUrl } = await control.listRequests({ ...filters, limit: PAGE_SIZE, page });
    requests.push(...data);
    page = nextPageUrl === null ? undefined : (new URL(nextPageUrl).searchParams.get('page') ?? undefined);
  } while (page !== undefined);
  return requests;
}

/**
 * The service's virtual clock. When the clock moves, all work that becomes due runs in order, at the virtual time when
 * it is due. Deliveries are always signed with the real time, so a receiver needs no special clock.
 */
export interface TestClock {
  now(): Promise<Date>;
  /** @param duration - A duration such as `30m`, `12h` or `3d`, or an ISO 8601 duration. */
  advance(duration: string): Promise<ClockChanged>;
  /** Moves the clock forward to a given time. The clock cannot go back. */
  set(instant: Date | string): Promise<ClockChanged>;
  /** Freezes the clock at its current time. Due work still runs. */
  freeze(): Promise<ClockChanged>;
  /** Makes the clock show the real time again. */
  reset(): Promise<ClockChanged>;
}
