/** One kind of exchange with the database. */
export interface Exchange {
  /** Runs it now, or once more where it runs; while the database is away, only the pause behind a failure ends in a run. */
  request(): void;
  /** Whether it runs once more when the present run has ended. */
  isRequested(): boolean;
  /** Failures in a row. */
  failures(): number;
  /** Never runs it again. Resolves when it does not run any more. */
  stop(): Promise<void>;
}

/** What an exchange is made of. */
export interface ExchangeOptions {
  run(): Promise<void>;
  failed(error: unknown, retryInMs: number): void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Runs exchanges of one kind one at a time; after one that failed there is a pause, longer each time. */
export function createExchange({ run, failed }: ExchangeOptions): Exchange {
  let requested = false;
  let running = false;
  let stopped = false;
  let failures = 0;
  let pause: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function loop(): Promise<void> {
    do {
      requested = false;
      try {
        await run();
        failures = 0;
      } catch (error) {
        failures++;
        requested = false;
        const retryInMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
        failed(error, retryInMs);
        if (!stopped) pause = setTimeout(start, retryInMs);
      }
    } while (requested && !stopped);
    running = false;
  }

  function start(): void {
    running = true;
    current = loop();
  }

  return {
    request() {
      requested = true;
      if (!running && !stopped && failures === 0) start();
    },
    isRequested: () => requested,
    failures: () => failures,
    async stop() {
      stopped = true;
      clearTimeout(pause);
      await current;
    },
  };
}
