import type { Ids } from '../src/runtime/ids.ts';
import type { Checks } from './checks.ts';
import type { SimulatedDatabase } from './database.ts';
import type { FaultKind } from './faults.ts';
import type { Random } from './random.ts';
import type { Receivers } from './receivers.ts';
import type { Scheduler } from './scheduler.ts';

export interface Simulation {
  database: SimulatedDatabase;
  scheduler: Scheduler;
  random: Random;
  ids: Ids;
  receivers: Receivers;
  checks: Checks;
  has(fault: FaultKind): boolean;
  trace(text: string): void;
}
