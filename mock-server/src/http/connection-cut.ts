/**
 * Thrown if the connection was cut before the response. A caller in the same process gets this error instead of the
 * error that `fetch` would throw.
 */
export class ConnectionCutError extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
}
