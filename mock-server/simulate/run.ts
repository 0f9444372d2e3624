import { acceptEvents } from '../src/storage/delivery/accept.ts';
import { Checks } from './checks.ts';
import type { SimulatedDatabase } from './database.ts';
import { Endpoints, WORKSPACES } from './endpoints.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { createCountingIds } from './ids.ts';
import { Nodes } from './nodes.ts';
import { createRandom } from './random.ts';
import { Receivers } from './receivers.ts';
import { Scheduler } from './scheduler.ts';
import type { Simulation } from './simulation.ts';
import { inTransaction } from './store.ts';

/** Faults happen only during this time at the start of a run. */
const TROUBLE_MS = 25_000;
const RECOVERY_MS = 90_000;

/** The actions that can happen in a run. An action that names a fault happens only in runs that allow the fault. */
const ACTIONS: readonly [weight: number, fault: FaultKind | undefined, act: (world: World) => void | Promise<void>][] =
  [
    [40, undefined, (world) => world.accept()],
    [6, undefined, ({ endpoints }) => endpoints.changeMood()],
    [5, undefined, ({ nodes }) => nodes.start()],
    [4, 'paused endpoints', (world) => world.endpoints.switch(() => world.accept())],
    [3, 'changed endpoints', ({ endpoints }) => endpoints.change()],
    [1, 'deleted endpoints', ({ endpoints }) => endpoints.delete()],
    [3, 'rotated secrets', ({ endpoints }) => endpoints.rotateSecret()],
    [2, 'kills', ({ nodes }) => nodes.kill()],
    [3, 'freezes', ({ nodes }) => nodes.freeze()],
    [2, 'partitions', ({ nodes }) => nodes.cutOff()],
    [1, 'database outages', ({ nodes }) => nodes.takeDatabaseAway()],
    [2, 'lost commits', (world) => world.failOver()],
    [2, 'shut-downs', ({ nodes }) => nodes.shutDown()],
    [3, 'clock moves', ({ nodes }) => nodes.moveClock(1)],
    [1, 'clock set back', ({ nodes }) => nodes.moveClock(-1)],
    [0.5, 'resets', (world) => world.reset()],
  ];
const WEIGHT = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

export interface RunOptions {
  seed: number;
  /** Default: about half of the {@link FAULTS}, chosen by the seed. */
  faults?: readonly FaultKind[];
  trace?: (line: string) => void;
}

export interface RunResult {
  /** The invariant that failed, in words. */
  failure: string | undefined;
  faults: readonly FaultKind[];
  attempts: number;
}

/** Runs one seed: first with faults, and then without faults until every delivery has ended. */
export async function runSeed(database: SimulatedDatabase, options: RunOptions): Promise<RunResult> {
  const { seed } = options;
  const faults = options.faults ?? faultsOf(seed);
  const world = new World(database, { ...options, faults });
  await world.begin();
  await world.run();
  await database.empty();
  return { failure: world.failure(), faults, attempts: world.attempts };
}

/**
 * Chooses about half of the faults for a run. A run with all faults would find fewer defects, because one fault can
 * hide the effects of another.
 */
function faultsOf(seed: number): FaultKind[] {
  const random = createRandom(seed).fork('faults');
  return FAULTS.filter(() => random.chance(0.5));
}

class World {
  attempts = 0;
  readonly nodes: Nodes;
  readonly endpoints: Endpoints;
  readonly #simulation: Simulation;
  #isCalm = false;
  #isReplacing = false;
  #takeovers = 0;

  constructor(database: SimulatedDatabase, { seed, faults = [], trace: write = () => {} }: RunOptions) {
    const random = createRandom(seed);
    const scheduler = new Scheduler();
    const has = (fault: FaultKind) => !this.#isCalm && faults.includes(fault);
    const trace = (text: string) => write(`${(scheduler.now / 1000).toFixed(3).padStart(8)} s  ${text}`);
    const receivers = new Receivers(scheduler, random.fork('receivers'), has, (sent) => {
      this.attempts++;
      trace(
        `${sent.node} sends attempt ${sent.delivery.attempt} of ${sent.delivery.id} to ${sent.delivery.endpointId}`,
      );
      checks.sent(sent);
    });
    const checks = new Checks(database, scheduler, receivers);
    this.#simulation = { database, scheduler, random, ids: createCountingIds(), receivers, checks, has, trace };
    this.nodes = new Nodes(this.#simulation);
    this.endpoints = new Endpoints(this.#simulation, this.nodes);
  }

  failure = () => this.#simulation.checks.failure;

  async begin(): Promise<void> {
    await this.endpoints.replaceAll();
    this.nodes.startSome();
    this.#scheduleAction();
  }

  async run(): Promise<void> {
    const { scheduler, checks, trace } = this.#simulation;
    const hasFailed = () => {
      checks.stepped();
      return checks.failure !== undefined;
    };
    await scheduler.runUntil(hasFailed, TROUBLE_MS);
    this.#calm();
    let looksAt = 0;
    const isDone = () => {
      if (hasFailed()) return true;
      if (scheduler.now < looksAt) return false;
      looksAt = scheduler.now + 100;
      return this.#isDone();
    };
    if (!(await scheduler.runUntil(isDone, RECOVERY_MS))) checks.fail(`stuck: ${this.#leftOver()}`);
    if (!hasFailed()) checks.ended(this.nodes.living());
    this.nodes.end();
    trace(checks.failure === undefined ? 'ends well' : `fails: ${checks.failure}`);
  }

  async accept(): Promise<void> {
    const { database, random, ids, trace } = this.#simulation;
    const workspaceId = random.pick(WORKSPACES);
    const events = 1 + random.integer(3);
    const createdAt = this.nodes.clockNow();
    await inTransaction(database, async (queries) => {
      const accepted = Array.from({ length: events }, () => ({
        id: ids.next('event'),
        workspaceId,
        type: 'lifecycle.evaluated',
        createdAt,
      }));
      await acceptEvents(queries, { ids, clock: { now: () => createdAt } }, accepted);
    });
    trace(`${events} events are accepted in ${workspaceId}`);
    this.nodes.tell((node) => node.dispatcher.wake());
  }

  /** Lets a standby that lacks the latest commits take over while the nodes are busy. */
  async failOver(): Promise<void> {
    const { scheduler, random } = this.#simulation;
    await this.accept();
    await this.accept();
    this.endpoints.changeMood();
    scheduler.after(random.integer(100), undefined, () => this.#takeOver());
  }

  #takeOver(): void {
    const { database, scheduler, random, checks, trace } = this.#simulation;
    const goBack = database.copy();
    const restoreEndpoints = this.endpoints.copy();
    const takeovers = this.#takeovers;
    scheduler.after(random.integer(300), undefined, () => {
      // Do not take over during a reset, or if another standby has taken over since the copy was made.
      if (this.#isReplacing || this.#takeovers !== takeovers) return;
      this.#takeovers++;
      trace('a standby takes over; the latest commits are lost');
      goBack();
      checks.tookOver();
      // Each node learns that its connection is lost before it uses the standby.
      for (const node of this.nodes.living()) node.dispatcher.databaseLost();
      restoreEndpoints();
    });
  }

  /** Lets one node pause, replace all data and continue, like a reset over the control API. */
  reset(): void {
    const { scheduler, trace } = this.#simulation;
    const node = this.nodes.pick();
    if (!node || this.#isReplacing) return;
    this.#isReplacing = true;
    trace(`${node.name} pauses to replace the data`);
    const replace = async () => {
      node.dispatcher.setTaking(false);
      if (!(await node.dispatcher.until(({ isEmpty }) => isEmpty))) return;
      scheduler.after(0, node, async () => {
        trace('the data is replaced');
        await this.endpoints.replaceAll();
        this.#isReplacing = false;
        if (!node.isLeaving) node.dispatcher.setTaking(true);
      });
    };
    scheduler.after(0, node, () => void replace());
  }

  #scheduleAction(): void {
    const { scheduler, random, has } = this.#simulation;
    const waitMs = random.chance(0.5) ? random.integer(150) : random.integer(2_000);
    scheduler.after(waitMs, undefined, async () => {
      if (this.#isCalm) return;
      this.#scheduleAction();
      let left = random.fraction() * WEIGHT;
      const action = ACTIONS.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      if (action && (action[1] === undefined || has(action[1]))) await action[2](this);
    });
  }

  #calm(): void {
    this.#simulation.trace('no more faults from now on');
    this.#isCalm = true;
    this.#simulation.receivers.calm();
    this.nodes.calm();
  }

  #isDone(): boolean {
    if (this.nodes.living().some(({ dispatcher }) => dispatcher.lanesHeld() + dispatcher.inFlight() > 0)) return false;
    const { queued, lanesHeld } = this.#left();
    return queued + lanesHeld === 0;
  }

  #left() {
    const [left = { queued: 0, lanesHeld: 0 }] = this.#simulation.database.all<{ queued: number; lanesHeld: number }>(
      `select (select count(*) from delivery_queue) as queued,
        (select count(*) from delivery_lanes where node is not null) as lanesHeld`,
    );
    return left;
  }

  #leftOver(): string {
    const held = this.nodes
      .living()
      .map(({ name, dispatcher }) => [name, dispatcher.lanesHeld(), dispatcher.inFlight()]);
    return `${JSON.stringify(this.#left())} after ${RECOVERY_MS / 1000} s; nodes: ${JSON.stringify(held)}`;
  }
}
