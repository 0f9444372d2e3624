/** The connection was cut before a response. A caller in the same process gets this error, as `fetch` would throw it. */
export class ConnectionCutError extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
}
