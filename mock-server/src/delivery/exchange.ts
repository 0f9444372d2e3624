/** One kind of exchange with the database. */
export interface Exchange {
  /** Runs it now, or once more where so many run as may; while the database is away, only the pause behind a failure ends in a run. */
  request(): void;
  /** Whether it runs once more when the present run has ended. */
  isRequested(): boolean;
  isRunning(): boolean;
  /** Failures in a row. */
  failures(): number;
  /** Never runs it again. Resolves when it does not run any more. */
  stop(): Promise<void>;
}

/** What an exchange is made of. */
export interface ExchangeOptions {
  run(): Promise<void>;
  /** Told of a failure behind which there is a pause: of none once it is stopped. */
  failed(error: unknown, retryInMs: number): void;
  /** How many may run beside each other. */
  width: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Runs exchanges of one kind, so many at a time; after one that failed there is a pause, longer each time. */
export function createExchange({ run, failed, width }: ExchangeOptions): Exchange {
  let requested = false;
  let stopped = false;
  let failures = 0;
  let pause: NodeJS.Timeout | undefined;
  const running = new Set<Promise<void>>();

  async function loop(): Promise<void> {
    do {
      requested = false;
      try {
        await run();
        succeed();
      } catch (error) {
        fail(error);
        return;
      }
    } while (requested && !stopped);
  }

  function succeed(): void {
    failures = 0;
    if (!pause) return;
    // What failed beside this need not wait any longer.
    clearTimeout(pause);
    pause = undefined;
    requested = true;
  }

  function fail(error: unknown): void {
    requested = false;
    // Those that ran beside each other fail together: the database went away once.
    if (pause) return;
    failures++;
    const retryInMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    if (stopped) return;
    failed(error, retryInMs);
    pause = setTimeout(() => {
      pause = undefined;
      start();
    }, retryInMs);
  }

  function start(): void {
    const loops = loop().finally(() => running.delete(loops));
    running.add(loops);
  }

  return {
    request() {
      requested = true;
      if (running.size < width && !stopped && failures === 0) start();
    },
    isRequested: () => requested,
    isRunning: () => running.size > 0,
    failures: () => failures,
    async stop() {
      stopped = true;
      clearTimeout(pause);
      await Promise.all(running);
    },
  };
}
