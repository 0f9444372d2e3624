import { fork } from 'node:child_process';
import { once } from 'node:events';

/** Callers that write without a pause. */
export interface Load {
  name: string;
  title: string;
  /** The noun for what the report counts, such as `events`. */
  unit: string;
  serverOptions: readonly string[];
  start(url: string, receiverUrl: string): Promise<{ stop(): Promise<number> }>;
}

/** Tells a writing process which server to call, and what to write. */
export interface WriteOrder {
  url: string;
  kind: 'changes' | 'events';
  /** The number of concurrent calls. */
  callers: number;
  /** The number of events in each call. */
  eventsPerCall: number;
  /** The number of endpoints that subscribe to the events. */
  endpoints: number;
  receiverUrl: string;
}

const write = (order: Omit<WriteOrder, 'url' | 'receiverUrl'>) => async (url: string, receiverUrl: string) => {
  const child = fork(new URL('./write.ts', import.meta.url), [JSON.stringify({ ...order, url, receiverUrl })]);
  await once(child, 'message');
  return {
    async stop() {
      child.send('stop');
      const [written] = (await once(child, 'message')) as [number];
      return written;
    },
  };
};

export const LOADS: readonly Load[] = [
  {
    name: 'changes',
    title: 'API writes: 32 callers change a workspace, each change in its own transaction',
    unit: 'changes',
    serverOptions: ['--roles', 'api'],
    start: write({ kind: 'changes', callers: 32, eventsPerCall: 0, endpoints: 0 }),
  },
  {
    name: 'large',
    title: 'large writes: 4 callers cause 100 events at a time, each for 10 endpoints',
    unit: 'events',
    serverOptions: ['--roles', 'api'],
    start: write({ kind: 'events', callers: 4, eventsPerCall: 100, endpoints: 10 }),
  },
  {
    name: 'deliveries',
    title: 'events and deliveries: 16 callers cause one event at a time, delivered to 4 endpoints',
    unit: 'events',
    serverOptions: [],
    start: write({ kind: 'events', callers: 16, eventsPerCall: 1, endpoints: 4 }),
  },
];
