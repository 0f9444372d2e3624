import { EPOCH, type SimulatedNode, startNode } from './node.ts';
import type { Simulation } from './simulation.ts';

const NODES_MAX = 3;

export class Nodes {
  readonly #simulation: Simulation;
  readonly #all: SimulatedNode[] = [];
  #clockState = { offsetMs: 0, frozenAt: null };
  #isAwayUntil = 0;
  #names = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  living = () => this.#all.filter(({ isDead }) => !isDead);

  pick = () =>
    this.#simulation.random.pick(this.living().filter(({ isLeaving }) => !isLeaving)) as SimulatedNode | undefined;

  /** The time on the shared clock. Each node notices a move of this clock after a random delay. */
  clockNow(): number {
    return EPOCH + Math.round(this.#simulation.scheduler.now) + this.#clockState.offsetMs;
  }

  startSome(): void {
    const nodes = 1 + this.#simulation.random.integer(NODES_MAX);
    for (let count = 0; count < nodes; count++) this.start();
  }

  start(): void {
    if (this.living().filter(({ isLeaving }) => !isLeaving).length >= NODES_MAX) return;
    const { scheduler, random, checks, trace } = this.#simulation;
    const name = `node${++this.#names}`;
    trace(`${name} starts`);
    const node = startNode({
      ...this.#simulation,
      name,
      random: random.fork(name),
      clockState: this.#clockState,
      isCutOff: () => this.#isAwayUntil > scheduler.now,
      broke: (text) => checks.fail(text),
      tellOthers: (topic) =>
        this.tell((other) => {
          if (other === node) return;
          if (topic === 'hand-over') other.dispatcher.handOver();
          else other.dispatcher.wake();
        }),
    });
    this.#all.push(node);
  }

  kill(): void {
    const node = this.pick();
    if (!node) return;
    this.#simulation.trace(`${node.name} is killed`);
    node.isDead = true;
  }

  freeze(): void {
    const { random, scheduler, trace } = this.#simulation;
    const node = this.pick();
    if (!node) return;
    const forMs = random.integer(random.chance(0.5) ? 3_000 : 30_000);
    trace(`${node.name} freezes for ${forMs} ms`);
    node.frozenUntil = scheduler.now + forMs;
  }

  cutOff(): void {
    const { random, scheduler, trace } = this.#simulation;
    const node = this.pick();
    if (!node) return;
    const forMs = random.integer(20_000);
    trace(`${node.name} cannot reach the database for ${forMs} ms`);
    node.cutOffUntil = scheduler.now + forMs;
  }

  takeDatabaseAway(): void {
    const { random, scheduler, trace } = this.#simulation;
    const forMs = random.integer(20_000);
    trace(`no node can reach the database for ${forMs} ms`);
    this.#isAwayUntil = scheduler.now + forMs;
  }

  shutDown(): void {
    const { scheduler, trace } = this.#simulation;
    const node = this.pick();
    if (!node) return;
    trace(`${node.name} shuts down`);
    node.isLeaving = true;
    const stop = async () => {
      node.dispatcher.setTaking(false);
      await node.dispatcher.until(({ isEmpty }) => isEmpty);
      await node.dispatcher.leave();
      await node.dispatcher.stop();
      trace(`${node.name} has ended`);
      node.isDead = true;
    };
    scheduler.after(0, node, () => void stop());
  }

  moveClock(direction: 1 | -1): void {
    const { random, scheduler, checks, trace } = this.#simulation;
    const byMs = direction * random.integer(10_000);
    if (byMs < 0) checks.wasSetBack = true;
    this.#clockState = { offsetMs: this.#clockState.offsetMs + byMs, frozenAt: null };
    trace(`the clock is moved by ${byMs} ms`);
    for (const node of this.living()) {
      scheduler.after(random.integer(1_000), node, () => {
        node.clock.restore(this.#clockState);
        node.clockMovedAt = scheduler.now;
        node.dispatcher.wake();
      });
    }
  }

  /** Sends a message to every node. Some messages get lost. */
  tell(act: (node: SimulatedNode) => unknown): void {
    const { random, scheduler, has } = this.#simulation;
    for (const node of this.living()) {
      if (has('lost messages') && random.chance(0.3)) continue;
      scheduler.after(random.fraction() * 60, node, () => void act(node));
    }
  }

  /** Acts as if the first living node had changed the endpoint. The other nodes get a message. */
  tellOfEndpoint(id: string): void {
    const [first, ...others] = this.living();
    first?.dispatcher.endpointChanged(id);
    this.tell((node) => others.includes(node) && node.dispatcher.endpointsChanged());
  }

  calm(): void {
    this.#isAwayUntil = 0;
    for (const node of this.living()) Object.assign(node, { frozenUntil: 0, cutOffUntil: 0 });
    if (this.living().every(({ isLeaving }) => isLeaving)) this.start();
  }

  end(): void {
    for (const node of this.#all) node.isDead = true;
  }
}
