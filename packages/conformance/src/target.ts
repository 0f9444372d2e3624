/**
 * What a check needs: an API key, or also a personal access token of the same workspace, or the control API, which
 * creates tenants, triggers events and moves time.
 */
export type Need = 'key' | 'token' | 'control';

/** A service under test: its URL, and how to reach it. */
export interface Target {
  name: string;
  baseUrl: string;
  /** Undefined if the suite may not use the control API, or if the service has none. */
  controlUrl: string | undefined;
  /** The token for the control API, if the server has one. */
  adminToken?: string | undefined;
  /** What the suite can use. */
  offers: readonly Need[];
  /** The global `fetch`, or a handler in this process. */
  fetch(request: Request): Promise<Response>;
  /** Undoes what a check did, if a reset cannot. */
  tidy?(): Promise<void>;
}

/** Everything, for a service with the control API. */
export const EVERYTHING: readonly Need[] = ['key', 'token', 'control'];
