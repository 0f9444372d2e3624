/** What a check needs. `token` means an API key and a personal access token for the same workspace. */
export type Need = 'key' | 'token' | 'control';

export interface Target {
  name: string;
  baseUrl: string;
  /** The URL of the control API. Undefined if the service has no control API, or if the suite must not use it. */
  controlUrl: string | undefined;
  adminToken?: string | undefined;
  offers: readonly Need[];
  /** Sends a request with the global `fetch`, or passes the request to a handler in this process. */
  fetch(request: Request): Promise<Response>;
  /** Undoes the changes that a check made. Present only if the service cannot be reset. */
  tidy?(): Promise<void>;
}

export const EVERYTHING: readonly Need[] = ['key', 'token', 'control'];
