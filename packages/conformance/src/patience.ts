/** The maximum wait for a response or a delivery. Only a faulty service makes the suite wait this long. */
export const PATIENCE_MS = 60_000;
