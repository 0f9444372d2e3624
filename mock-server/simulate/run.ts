import { REAL_TIME } from '../src/domain/clock-state.ts';
import { acceptEvent } from '../src/storage/statements/deliveries/accept.ts';
import { updateEndpoint } from '../src/storage/statements/endpoints.ts';
import { wipe } from '../src/storage/wipe.ts';
import { Checks } from './checks.ts';
import { ENDPOINTS_MAX, SECRETS, type SimulatedDatabase } from './database.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { createCountingIds } from './ids.ts';
import { EPOCH, type SimulatedNode, startNode } from './node.ts';
import { createRandom, type Random } from './random.ts';
import { Receivers } from './receivers.ts';
import { Scheduler } from './scheduler.ts';
import { atOnce } from './store.ts';

/** How long faults happen. */
const TROUBLE_MS = 25_000;
/** Within this time after the faults have ended, all deliveries must end. */
const RECOVERY_MS = 90_000;
const NODES_MAX = 3;
const WORKSPACES = ['wsp_1', 'wsp_2'];

/** How often each action happens, relative to the other actions. */
const ACTIONS: readonly [weight: number, fault: FaultKind | undefined, act: (world: World) => void | Promise<void>][] =
  [
    [40, undefined, (world) => world.accept()],
    [6, undefined, (world) => world.changeMood()],
    [5, undefined, (world) => world.startNode()],
    [4, 'paused endpoints', (world) => world.switchEndpoint()],
    [3, 'changed endpoints', (world) => world.changeEndpoint()],
    [1, 'deleted endpoints', (world) => world.deleteEndpoint()],
    [2, 'kills', (world) => world.kill()],
    [3, 'freezes', (world) => world.freeze()],
    [2, 'partitions', (world) => world.cutOff()],
    [1, 'database outages', (world) => world.takeDatabaseAway()],
    [1, 'lost commits', (world) => world.failOver()],
    [2, 'shut-downs', (world) => world.shutDown()],
    [3, 'clock moves', (world) => world.moveClock(1)],
    [1, 'clock set back', (world) => world.moveClock(-1)],
    [0.5, 'resets', (world) => world.reset()],
  ];
const WEIGHT = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

export interface RunOptions {
  seed: number;
  /** The faults that may happen. Default: about half of the {@link FAULTS}, chosen by the seed. */
  faults?: readonly FaultKind[];
  trace?: (line: string) => void;
}

export interface RunResult {
  /** The invariant that failed, in words. Undefined if every invariant held. */
  failure: string | undefined;
  faults: readonly FaultKind[];
  attempts: number;
}

/** Runs one seed, with faults for the first 25 s, and then without faults until every delivery has ended. */
export async function runSeed(database: SimulatedDatabase, options: RunOptions): Promise<RunResult> {
  const { seed } = options;
  const faults = options.faults ?? faultsOf(seed);
  const world = new World(database, createRandom(seed), faults, options.trace ?? (() => {}));
  await world.begin();
  await world.run();
  await database.empty();
  return { failure: world.checks.failure, faults, attempts: world.attempts };
}

/** Each seed has its own mixture of faults, so that no fault always hides the effects of another fault. */
function faultsOf(seed: number): FaultKind[] {
  const random = createRandom(seed).fork('faults');
  return FAULTS.filter(() => random.chance(0.5));
}

interface SimulatedEndpoint {
  id: string;
  workspaceId: string;
  isActive: boolean;
}

class World {
  readonly checks: Checks;
  attempts = 0;
  readonly #database: SimulatedDatabase;
  readonly #random: Random;
  readonly #scheduler = new Scheduler();
  readonly #ids = createCountingIds();
  readonly #receivers: Receivers;
  readonly #trace: (text: string) => void;
  readonly #has: (fault: FaultKind) => boolean;
  #isCalm = false;
  #nodes: SimulatedNode[] = [];
  #endpoints: SimulatedEndpoint[] = [];
  #clockState = REAL_TIME;
  #isAwayUntil = 0;
  #names = 0;
  #isReplacing = false;

  constructor(
    database: SimulatedDatabase,
    random: Random,
    faults: readonly FaultKind[],
    trace: (line: string) => void,
  ) {
    this.#database = database;
    this.#random = random;
    this.#has = (fault) => !this.#isCalm && faults.includes(fault);
    this.#trace = (text) => trace(`${(this.#scheduler.now / 1000).toFixed(3).padStart(8)} s  ${text}`);
    this.#receivers = new Receivers(this.#scheduler, random.fork('receivers'), this.#has, (sent) => {
      this.attempts++;
      this.#trace(
        `${sent.node} sends attempt ${sent.delivery.attempt} of ${sent.delivery.id} to ${sent.delivery.endpointId}`,
      );
      this.checks.sent(sent);
    });
    this.checks = new Checks(database, this.#scheduler, this.#receivers);
  }

  async begin(): Promise<void> {
    await this.#seed();
    const nodes = 1 + this.#random.integer(NODES_MAX);
    for (let count = 0; count < nodes; count++) this.startNode();
    this.#scheduleAction();
  }

  async run(): Promise<void> {
    const hasFailed = () => {
      this.checks.stepped();
      return this.checks.failure !== undefined;
    };
    await this.#scheduler.runUntil(hasFailed, TROUBLE_MS);
    this.#calm();
    let looksAt = 0;
    const isDone = () => {
      if (hasFailed()) return true;
      if (this.#scheduler.now < looksAt) return false;
      looksAt = this.#scheduler.now + 100;
      return this.#isDone();
    };
    if (!(await this.#scheduler.runUntil(isDone, RECOVERY_MS))) this.checks.fail(`stuck: ${this.#leftOver()}`);
    if (!hasFailed()) this.checks.ended(this.#living());
    for (const node of this.#nodes) node.isDead = true;
    this.#trace(this.checks.failure === undefined ? 'ends well' : `fails: ${this.checks.failure}`);
  }

  async accept(): Promise<void> {
    const workspaceId = this.#random.pick(WORKSPACES);
    const events = 1 + this.#random.integer(3);
    const now = this.#clockNow();
    await atOnce(this.#database, async (queries) => {
      for (let count = 0; count < events; count++) {
        const id = this.#ids.next('event');
        await acceptEvent(queries, this.#ids, { id, workspaceId, type: 'lifecycle.evaluated', createdAt: now });
      }
    });
    this.#trace(`${events} events are accepted in ${workspaceId}`);
    this.#tell((node) => node.dispatcher.wake(), 60);
  }

  changeMood(): void {
    const endpoint = this.#random.pick(this.#endpoints);
    if (endpoint) this.#receivers.changeMood(endpoint.id);
  }

  startNode(): void {
    if (this.#living().filter(({ isLeaving }) => !isLeaving).length >= NODES_MAX) return;
    const name = `node${++this.#names}`;
    this.#trace(`${name} starts`);
    const node = startNode({
      name,
      database: this.#database,
      scheduler: this.#scheduler,
      random: this.#random.fork(name),
      ids: this.#ids,
      receivers: this.#receivers,
      clockState: this.#clockState,
      has: this.#has,
      isCutOff: () => this.#isAwayUntil > this.#scheduler.now,
      trace: this.#trace,
      broke: (text) => this.checks.fail(text),
      tellOthers: (topic) =>
        this.#tell((other) => {
          if (other === node) return;
          if (topic === 'share') other.dispatcher.share();
          else other.dispatcher.wake();
        }, 60),
    });
    this.#nodes.push(node);
  }

  async switchEndpoint(): Promise<void> {
    const endpoint = this.#random.pick(this.#endpoints);
    if (!endpoint) return;
    await this.#update(endpoint, { active: !endpoint.isActive });
    if (endpoint.isActive || !this.#random.chance(0.5)) return;
    // Resume the endpoint while the nodes are still processing the pause.
    this.#scheduler.after(this.#random.integer(100), undefined, async () => {
      if (!this.#endpoints.includes(endpoint)) return;
      await this.#update(endpoint, { active: true });
      await this.accept();
    });
  }

  async changeEndpoint(): Promise<void> {
    const endpoint = this.#random.pick(this.#endpoints);
    if (endpoint) await this.#update(endpoint, { url: `https://receiver.test/${this.#random.integer(1_000)}` });
  }

  async deleteEndpoint(): Promise<void> {
    const endpoint = this.#random.pick(this.#endpoints);
    if (!endpoint || this.#endpoints.length === 1) return;
    this.#endpoints = this.#endpoints.filter((other) => other !== endpoint);
    this.#trace(`${endpoint.id} is deleted`);
    await this.#database.queries.deleteFrom('webhook_endpoints').where('id', '=', endpoint.id).execute();
    this.#tellOfEndpoint(endpoint.id);
  }

  kill(): void {
    const node = this.#pickNode();
    if (!node) return;
    this.#trace(`${node.name} is killed`);
    node.isDead = true;
  }

  freeze(): void {
    const node = this.#pickNode();
    if (!node) return;
    const forMs = this.#random.integer(this.#random.chance(0.5) ? 3_000 : 30_000);
    this.#trace(`${node.name} freezes for ${forMs} ms`);
    node.frozenUntil = this.#scheduler.now + forMs;
  }

  cutOff(): void {
    const node = this.#pickNode();
    if (!node) return;
    const forMs = this.#random.integer(20_000);
    this.#trace(`${node.name} cannot reach the database for ${forMs} ms`);
    node.cutOffUntil = this.#scheduler.now + forMs;
  }

  takeDatabaseAway(): void {
    const forMs = this.#random.integer(20_000);
    this.#trace(`no node can reach the database for ${forMs} ms`);
    this.#isAwayUntil = this.#scheduler.now + forMs;
  }

  /** A standby that lacks the latest commits takes over. */
  failOver(): void {
    const goBack = this.#database.copy();
    const endpoints = this.#endpoints.map((endpoint) => ({ ...endpoint }));
    this.#scheduler.after(this.#random.integer(300), undefined, () => {
      // A standby does not take over in the middle of a reset.
      if (this.#isReplacing) return;
      this.#trace('a standby takes over; the latest commits are lost');
      goBack();
      this.checks.tookOver();
      // A takeover ends every connection. A node must notice the lost connection before it can use the standby.
      for (const node of this.#living()) node.dispatcher.databaseLost();
      this.#endpoints = endpoints;
    });
  }

  shutDown(): void {
    const node = this.#pickNode();
    if (!node) return;
    this.#trace(`${node.name} shuts down`);
    node.isLeaving = true;
    const stop = async () => {
      node.dispatcher.setTaking(false);
      await node.dispatcher.until(({ isEmpty }) => isEmpty);
      await node.dispatcher.leave();
      await node.dispatcher.stop();
      this.#trace(`${node.name} has ended`);
      node.isDead = true;
    };
    this.#scheduler.after(0, node, () => void stop());
  }

  moveClock(direction: 1 | -1): void {
    const byMs = direction * this.#random.integer(10_000);
    if (byMs < 0) this.checks.wasSetBack = true;
    const { offsetMs = 0 } = this.#clockState as { offsetMs?: number };
    this.#clockState = { offsetMs: offsetMs + byMs, frozenAt: null };
    this.#trace(`the clock is moved by ${byMs} ms`);
    for (const node of this.#living()) {
      this.#scheduler.after(this.#random.integer(1_000), node, () => {
        node.clock.restore(this.#clockState);
        node.dispatcher.wake();
      });
    }
  }

  /** One node pauses, replaces all data and continues, as the control API does. */
  reset(): void {
    const node = this.#pickNode();
    if (!node || this.#isReplacing) return;
    this.#isReplacing = true;
    this.#trace(`${node.name} pauses to replace the data`);
    const replace = async () => {
      node.dispatcher.setTaking(false);
      if (!(await node.dispatcher.until(({ isEmpty }) => isEmpty))) return;
      this.#scheduler.after(0, node, async () => {
        this.#trace('the data is replaced');
        await this.#seed();
        this.#isReplacing = false;
        if (!node.isLeaving) node.dispatcher.setTaking(true);
      });
    };
    this.#scheduler.after(0, node, () => void replace());
  }

  async #update(endpoint: SimulatedEndpoint, change: { active: boolean } | { url: string }): Promise<void> {
    const { id, workspaceId } = endpoint;
    this.#trace(`${id} changes: ${JSON.stringify(change)}`);
    await updateEndpoint(this.#database.queries, { workspaceId, id }, change, this.#clockNow());
    if ('active' in change) endpoint.isActive = change.active;
    this.#tellOfEndpoint(id);
  }

  #tellOfEndpoint(id: string): void {
    const [first, ...others] = this.#living();
    first?.dispatcher.endpointChanged(id);
    this.#tell((node) => others.includes(node) && node.dispatcher.endpointsChanged(), 60);
  }

  /** Sends a message to every node. Some messages get lost. */
  #tell(act: (node: SimulatedNode) => unknown, withinMs: number): void {
    for (const node of this.#living()) {
      if (this.#has('lost messages') && this.#random.chance(0.3)) continue;
      this.#scheduler.after(this.#random.fraction() * withinMs, node, () => void act(node));
    }
  }

  async #seed(): Promise<void> {
    const at = this.#clockNow();
    await atOnce(this.#database, async (queries) => {
      await wipe(queries);
      const organization = { id: 'org_1', slug: 'acme', name: 'Acme', logo: null, created_at: at };
      await queries.insertInto('organizations').values(organization).execute();
      for (const id of WORKSPACES) {
        const names = { id, organization_id: 'org_1', slug: id, name: id, image: null, timezone: null };
        await queries
          .insertInto('workspaces')
          .values({ ...names, week_starts_on: null, created_at: at, updated_at: at })
          .execute();
      }
      this.#endpoints = [];
      const endpoints = 1 + this.#random.integer(ENDPOINTS_MAX);
      for (let index = 0; index < endpoints; index++) {
        const endpoint = {
          id: this.#ids.next('webhookEndpoint'),
          workspaceId: this.#random.pick(WORKSPACES),
          isActive: true,
        };
        await queries
          .insertInto('webhook_endpoints')
          .values({
            id: endpoint.id,
            workspace_id: endpoint.workspaceId,
            url: 'https://receiver.test/0',
            description: null,
            subscribed_events: '["*"]',
            active: 1,
            api_version: 'latest',
            consecutive_failures: 0,
            created_at: at,
            updated_at: at,
          })
          .execute();
        const secret = SECRETS[index] as (typeof SECRETS)[number];
        await queries
          .insertInto('webhook_secrets')
          .values({ ...secret, endpoint_id: endpoint.id, created_at: at, expires_at: null })
          .execute();
        this.#endpoints.push(endpoint);
        this.#receivers.changeMood(endpoint.id);
      }
    });
  }

  #scheduleAction(): void {
    const waitMs = this.#random.chance(0.5) ? this.#random.integer(150) : this.#random.integer(2_000);
    this.#scheduler.after(waitMs, undefined, async () => {
      if (this.#isCalm) return;
      this.#scheduleAction();
      let left = this.#random.fraction() * WEIGHT;
      const action = ACTIONS.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      if (action && (action[1] === undefined || this.#has(action[1]))) await action[2](this);
    });
  }

  /** Stops all faults, so that nothing goes wrong from now on. */
  #calm(): void {
    this.#trace('no more faults from now on');
    this.#isCalm = true;
    this.#isAwayUntil = 0;
    this.#receivers.calm();
    for (const node of this.#living()) Object.assign(node, { frozenUntil: 0, cutOffUntil: 0 });
    if (this.#living().every(({ isLeaving }) => isLeaving)) this.startNode();
  }

  #isDone(): boolean {
    if (this.#living().some(({ dispatcher }) => dispatcher.lanesHeld() + dispatcher.inFlight() > 0)) return false;
    const [left] = this.#database.all<{ rows: number }>(
      'select (select count(*) from delivery_queue) + (select count(*) from delivery_lanes where node is not null) as rows',
    );
    return left?.rows === 0;
  }

  #leftOver(): string {
    const [left] = this.#database.all<object>(
      `select (select count(*) from delivery_queue) as queued,
        (select count(*) from delivery_lanes where node is not null) as lanesHeld`,
    );
    const held = this.#living().map(({ name, dispatcher }) => [name, dispatcher.lanesHeld(), dispatcher.inFlight()]);
    return `${JSON.stringify(left)} after ${RECOVERY_MS / 1000} s; nodes: ${JSON.stringify(held)}`;
  }

  #living = () => this.#nodes.filter(({ isDead }) => !isDead);
  /** Picks a node to which something may happen now. */
  #pickNode = () =>
    this.#random.pick(this.#living().filter(({ isLeaving }) => !isLeaving)) as SimulatedNode | undefined;

  #clockNow(): number {
    const { offsetMs = 0 } = this.#clockState as { offsetMs?: number };
    return EPOCH + Math.round(this.#scheduler.now) + offsetMs;
  }
}
