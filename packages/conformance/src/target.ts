/**
 * The access that a check needs: an API key alone, an API key with a personal access token of the same workspace, or
 * the control API. The control API creates tenants, triggers events and moves the clock.
 */
export type Need = 'key' | 'token' | 'control';

/** A service under test: its URL, and how to reach it. */
export interface Target {
  name: string;
  baseUrl: string;
  /**
   * The URL of the control API. Undefined if the suite may not use the control API, or if the service has no control
   * API.
   */
  controlUrl: string | undefined;
  /** The token for the control API, if the server requires a token. */
  adminToken?: string | undefined;
  /** The access that the suite has. */
  offers: readonly Need[];
  /** The global `fetch`, or a handler in this process. */
  fetch(request: Request): Promise<Response>;
  /** Undoes the changes of a check. Present only if the service cannot be reset. */
  tidy?(): Promise<void>;
}

/** All kinds of access, for a service with the control API. */
export const EVERYTHING: readonly Need[] = ['key', 'token', 'control'];
