/** The maximum time that the suite waits for a response or a delivery. Only a faulty service takes this long. */
export const PATIENCE_MS = 60_000;
