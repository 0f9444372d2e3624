import type { Timers } from '../src/runtime/timers.ts';

export interface Owner {
  isDead: boolean;
  frozenUntil: number;
}

interface Task {
  at: number;
  order: number;
  owner: Owner | undefined;
  act: () => void | Promise<void>;
  isCancelled: boolean;
}

/** After this many tasks, the process handles signals such as Ctrl+C. */
const STEPS_BETWEEN_SIGNALS = 1_000;

/**
 * Waits until all promise callbacks of a task have run, except those that wait for another task: Node.js calls a
 * `nextTick` callback only when no promise callback is left.
 */
const settled = () => new Promise<void>((done) => process.nextTick(done));

/** Runs tasks in the order of their times, on a clock that jumps from task to task. So every run is repeatable. */
export class Scheduler {
  now = 0;
  #tasks: Task[] = [];
  #order = 0;

  /** Runs `act` in `ms` milliseconds. If the owner is frozen at that time, `act` runs when the owner continues. */
  after(ms: number, owner: Owner | undefined, act: Task['act']): { cancel(): void } {
    const task: Task = { at: this.now + ms, order: this.#order++, owner, act, isCancelled: false };
    this.#add(task);
    return {
      cancel() {
        task.isCancelled = true;
      },
    };
  }

  timersOf(owner: Owner): Timers {
    return {
      now: () => this.now,
      // Do not wait for the promise of `act`: it may wait for tasks that run later.
      after: (ms, act) => this.after(Math.max(0, ms), owner, () => void act()),
    };
  }

  /** Runs tasks until the condition holds, or for at most `atMostMs`. @returns whether the condition holds. */
  async runUntil(isMet: () => boolean, atMostMs: number): Promise<boolean> {
    const end = this.now + atMostMs;
    let steps = 0;
    while (!isMet()) {
      const task = this.#tasks[0];
      if (!task || task.at > end) {
        this.now = end;
        return false;
      }
      this.#removeFirst();
      if (task.isCancelled || task.owner?.isDead) continue;
      if (task.owner && task.owner.frozenUntil > task.at) {
        task.at = task.owner.frozenUntil;
        this.#add(task);
        continue;
      }
      this.now = task.at;
      await task.act();
      await settled();
      if (++steps % STEPS_BETWEEN_SIGNALS === 0) await new Promise((done) => setImmediate(done));
    }
    return true;
  }

  // A binary heap. Tasks with the same time run in the order in which they were added.
  #add(task: Task): void {
    const heap = this.#tasks;
    let index = heap.push(task) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(task, heap[parent] as Task)) break;
      heap[index] = heap[parent] as Task;
      index = parent;
    }
    heap[index] = task;
  }

  #removeFirst(): void {
    const heap = this.#tasks;
    const last = heap.pop() as Task;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Task, heap[child] as Task)) child++;
      if (!isBefore(heap[child] as Task, last)) break;
      heap[index] = heap[child] as Task;
      index = child;
    }
    heap[index] = last;
  }
}

const isBefore = (a: Task, b: Task) => a.at < b.at || (a.at === b.at && a.order < b.order);
